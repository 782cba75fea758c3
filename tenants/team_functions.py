"""The SQL functions of teams, as the third migration makes them: roles, invitations, seats that end.

The same rules as in `tenants.functions`, whose texts some of these replace. Where a person leaves, much of
what has to change lies out of sight of whoever acts (keys, workspaces of others), hence these functions. They
check what the domain has checked before; a refusal here is a fault there.
"""

from __future__ import annotations

ROLES = """
-- The present person's role in the present tenant. Nothing for background work, and nothing for who is
-- narrowed to some workspaces: a turn, or a key that is for one team, has no say over the whole.
CREATE FUNCTION my_role() RETURNS varchar
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT m.role FROM tenants_membership m
  WHERE m.tenant_id = nullif(current_setting('memsite.tenant', true), '')::uuid AND m.user_id = my_person()
    AND m.is_active AND current_setting('memsite.reach', true) = '*'
$$;

-- As before, but: an auditor reaches their own workspace and no other, whatever rows there are; a workspace
-- that is closed is reached by nobody.
CREATE OR REPLACE FUNCTION reachable_workspaces()
RETURNS TABLE (workspace uuid, kind varchar, role varchar)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT w.id, w.kind, coalesce(wm.role, 'editor')
  FROM (SELECT nullif(current_setting('memsite.tenant', true), '')::uuid AS tenant,
               nullif(current_setting('memsite.person', true), '')::uuid AS person,
               coalesce(current_setting('memsite.reach', true), '') AS reach) me
  JOIN tenants_workspace w ON w.tenant_id = me.tenant AND w.retired_at IS NULL
  LEFT JOIN tenants_workspacemember wm
    ON wm.tenant_id = w.tenant_id AND wm.workspace_id = w.id AND wm.user_id = me.person
   AND EXISTS (SELECT FROM tenants_membership m
               WHERE m.tenant_id = wm.tenant_id AND m.id = wm.membership_id AND m.user_id = wm.user_id
                 AND m.is_active AND (m.role <> 'auditor' OR w.kind = 'personal'))
  WHERE (me.reach = '*' OR w.id::text = ANY (string_to_array(me.reach, ',')))
    AND CASE WHEN me.person IS NULL THEN me.reach <> '*' ELSE wm.id IS NOT NULL END
$$;

-- Checked at the end of a transaction, so that ownership can be handed over in any order. The lock makes two
-- owners who leave at once take turns; it does not hold up new rows of the tenant.
CREATE FUNCTION keep_an_owner() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM FROM tenants_tenant WHERE id = OLD.tenant_id FOR NO KEY UPDATE;
  IF FOUND AND NOT EXISTS (SELECT FROM tenants_membership m
                           WHERE m.tenant_id = OLD.tenant_id AND m.role = 'owner' AND m.is_active) THEN
    RAISE check_violation USING MESSAGE = 'an organisation keeps an owner';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER keep_an_owner AFTER UPDATE OF role, is_active, tenant_id OR DELETE
ON tenants_membership DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
WHEN (OLD.role = 'owner' AND OLD.is_active) EXECUTE FUNCTION keep_an_owner();
"""

AUDIT = """
CREATE FUNCTION keep_audit_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is only ever added to';
END $$;
CREATE TRIGGER keep_audit_events BEFORE UPDATE OR DELETE ON tenants_auditevent
FOR EACH ROW EXECUTE FUNCTION keep_audit_events();
CREATE TRIGGER keep_all_audit_events BEFORE TRUNCATE ON tenants_auditevent
FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_events();
"""

# The time in front, as `tenants.ids.uuid7` has it: rows that functions make sort with the others.
IDS = """
CREATE FUNCTION new_id() RETURNS uuid LANGUAGE sql VOLATILE SET search_path = public, pg_temp AS $$
  SELECT encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
           PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)
           FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid
$$;
"""

DOORS = """
DROP FUNCTION key_by_digest(text);
CREATE FUNCTION key_by_digest(digest text)
RETURNS TABLE (key uuid, tenant uuid, person uuid, scopes jsonb, seen timestamptz, workspaces uuid[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT k.id, k.tenant_id, k.user_id, k.scopes, k.last_used_at, k.workspaces
  FROM tenants_apikey k
  JOIN tenants_membership m ON m.tenant_id = k.tenant_id AND m.user_id = k.user_id AND m.is_active
  JOIN tenants_user u ON u.id = k.user_id AND u.is_active
  WHERE k.digest = key_by_digest.digest AND k.revoked_at IS NULL
    AND (k.expires_at IS NULL OR k.expires_at > now())
$$;

-- A seat as before; who comes back finds the old one, with their own workspace and without any other.
CREATE OR REPLACE FUNCTION seat(tenant uuid, person uuid, display_name text, seat_role text, ids uuid[])
RETURNS void LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE mine uuid;
BEGIN
  UPDATE tenants_membership m SET is_active = true, role = seat_role, name = display_name
  WHERE m.tenant_id = seat.tenant AND m.user_id = seat.person AND NOT m.is_active RETURNING m.id INTO mine;
  IF mine IS NULL THEN
    mine := ids[1];
    INSERT INTO tenants_membership (id, tenant_id, user_id, name, role, is_active, created_at)
    VALUES (mine, tenant, person, display_name, seat_role, true, now());
    INSERT INTO tenants_workspace (id, tenant_id, kind, name, created_at)
    VALUES (ids[2], tenant, 'personal', display_name, now());
    INSERT INTO tenants_workspacemember (id, tenant_id, workspace_id, membership_id, user_id, role)
    VALUES (ids[3], tenant, ids[2], mine, person, 'admin');
  ELSE
    PERFORM put_out(tenant, person);
  END IF;
  PERFORM place_in_organisation(tenant, mine, seat_role);
END $$;

CREATE OR REPLACE FUNCTION add_person(person uuid, display_name text, seat_role text, ids uuid[])
RETURNS void LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF (coalesce(my_role(), '') NOT IN ('owner', 'admin', 'staff'))
     OR (seat_role = 'owner' AND my_role() = 'admin') THEN
    RAISE insufficient_privilege USING MESSAGE = 'only an owner or admin adds people';
  END IF;
  PERFORM seat(my_tenant(), person, display_name, seat_role, ids);
END $$;

CREATE FUNCTION invitation_by_digest(digest text)
RETURNS TABLE (
  invitation uuid, tenant uuid, tenant_name varchar, admins_read_chats boolean, inviter_name varchar,
  email varchar, role varchar, workspace_name varchar, workspace_role varchar, expires_at timestamptz,
  accepted_by uuid, state text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT i.id, t.id, t.name, t.admins_read_chats, m.name, i.email, i.role, coalesce(w.name, ''),
         i.workspace_role, i.expires_at, i.accepted_by_id,
         CASE WHEN i.accepted_at IS NOT NULL THEN 'accepted'
              WHEN i.revoked_at IS NOT NULL THEN 'revoked'
              WHEN i.expires_at <= now() THEN 'expired'
              WHEN NOT m.is_active OR m.role NOT IN ('owner', 'admin') THEN 'unknown'
              WHEN i.workspace_id IS NULL THEN 'open'
              WHEN w.retired_at IS NOT NULL THEN 'closed'
              WHEN EXISTS (SELECT FROM tenants_workspacemember wm
                           WHERE wm.tenant_id = i.tenant_id AND wm.workspace_id = i.workspace_id
                             AND wm.user_id = i.inviter_id AND wm.role = 'admin') THEN 'open'
              ELSE 'unknown' END
  FROM tenants_invitation i
  JOIN tenants_tenant t ON t.id = i.tenant_id
  JOIN tenants_membership m ON m.tenant_id = i.tenant_id AND m.user_id = i.inviter_id
  LEFT JOIN tenants_workspace w ON w.tenant_id = i.tenant_id AND w.id = i.workspace_id
  WHERE i.digest = invitation_by_digest.digest
$$;

-- The seat that a link gives, to the person whom it names and to nobody else; answers its tenant. No row
-- where the link is no longer good; for who has used it and sits there still, it changes nothing.
CREATE FUNCTION accept_invitation(digest text, person uuid, display_name text, ids uuid[])
RETURNS TABLE (tenant uuid, is_first boolean)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE made tenants_invitation; mine tenants_membership;
BEGIN
  SELECT * INTO made FROM tenants_invitation i WHERE i.digest = accept_invitation.digest FOR UPDATE;
  SELECT * INTO mine FROM tenants_membership m
  WHERE m.tenant_id = made.tenant_id AND m.user_id = person AND m.is_active;
  IF made.accepted_by_id = person AND mine.id IS NOT NULL THEN
    RETURN QUERY SELECT made.tenant_id, false;
    RETURN;
  ELSIF NOT EXISTS (SELECT FROM invitation_by_digest(accept_invitation.digest) f WHERE f.state = 'open')
     OR NOT EXISTS (SELECT FROM tenants_user u
                    WHERE u.id = person AND u.is_active AND lower(u.email) = lower(made.email)) THEN
    RETURN;
  END IF;
  IF mine.id IS NULL THEN
    PERFORM seat(made.tenant_id, person, display_name, made.role, ids);
    SELECT * INTO mine FROM tenants_membership m WHERE m.tenant_id = made.tenant_id AND m.user_id = person;
  END IF;
  IF made.workspace_id IS NOT NULL AND mine.role <> 'auditor' THEN
    INSERT INTO tenants_workspacemember (id, tenant_id, workspace_id, membership_id, user_id, role)
    VALUES (new_id(), made.tenant_id, made.workspace_id, mine.id, person, made.workspace_role)
    ON CONFLICT (tenant_id, workspace_id, user_id) DO NOTHING;
  END IF;
  UPDATE tenants_invitation SET accepted_at = now(), accepted_by_id = person WHERE id = made.id;
  RETURN QUERY SELECT made.tenant_id, true;
END $$;
"""

FOR_THE_APP = (
    "my_role()",
    "key_by_digest(text)",
    "invitation_by_digest(text)",
    "accept_invitation(text, uuid, text, uuid[])",
)
FOR_THE_OWNER = ("new_id()",)
