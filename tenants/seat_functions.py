"""The SQL functions of seats that change or end, and of workspaces that are closed; see `team_functions`."""

from __future__ import annotations

SEATS = """
-- Everybody sits in the organisation's workspace; who governs the organisation is admin there.
CREATE FUNCTION place_in_organisation(tenant uuid, seat uuid, seat_role text)
RETURNS void LANGUAGE sql VOLATILE SET search_path = public, pg_temp AS $$
  INSERT INTO tenants_workspacemember AS held (id, tenant_id, workspace_id, membership_id, user_id, role)
  SELECT new_id(), m.tenant_id, w.id, m.id, m.user_id,
         CASE WHEN place_in_organisation.seat_role IN ('owner', 'admin') THEN 'admin' ELSE 'member' END
  FROM tenants_membership m
  JOIN tenants_workspace w ON w.tenant_id = m.tenant_id AND w.kind = 'organisation'
  WHERE m.tenant_id = place_in_organisation.tenant AND m.id = place_in_organisation.seat
  ON CONFLICT (tenant_id, workspace_id, user_id) DO UPDATE
  SET role = CASE WHEN EXCLUDED.role = 'admin' OR held.role = 'admin' THEN EXCLUDED.role ELSE held.role END
$$;

-- Out of every workspace but their own.
CREATE FUNCTION put_out(tenant uuid, person uuid)
RETURNS void LANGUAGE sql VOLATILE SET search_path = public, pg_temp AS $$
  DELETE FROM tenants_workspacemember wm USING tenants_workspace w
  WHERE wm.tenant_id = put_out.tenant AND wm.user_id = put_out.person
    AND w.tenant_id = wm.tenant_id AND w.id = wm.workspace_id AND w.kind <> 'personal'
$$;

-- Workspaces that lose their last admin with a person, and who is next: `heir`, where one is named; else
-- somebody of the workspace, by role; else the oldest owner. Closed ones too, since they can be opened again.
CREATE FUNCTION handovers(tenant uuid, person uuid, heir uuid)
RETURNS TABLE (workspace uuid, title varchar, to_seat uuid, to_person uuid, to_name varchar)
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT w.id, w.name, next.id, next.user_id, next.name
  FROM tenants_workspacemember wm
  JOIN tenants_workspace w ON w.tenant_id = wm.tenant_id AND w.id = wm.workspace_id AND w.kind <> 'personal'
  CROSS JOIN LATERAL (
    SELECT m.id, m.user_id, m.name FROM tenants_membership m
    LEFT JOIN tenants_workspacemember held
      ON held.tenant_id = m.tenant_id AND held.workspace_id = w.id AND held.membership_id = m.id
    WHERE m.tenant_id = handovers.tenant AND m.user_id <> handovers.person AND m.is_active
      AND m.role <> 'auditor' AND (held.id IS NOT NULL OR m.user_id = handovers.heir OR m.role = 'owner')
    ORDER BY coalesce(m.user_id = handovers.heir, false) DESC, held.id IS NULL,
             array_position(ARRAY['admin', 'editor', 'member', 'viewer']::varchar[], held.role), m.id
    LIMIT 1) next
  WHERE wm.tenant_id = handovers.tenant AND wm.user_id = handovers.person AND wm.role = 'admin'
    AND NOT EXISTS (
      SELECT FROM tenants_workspacemember other
      JOIN tenants_membership m ON m.tenant_id = other.tenant_id AND m.id = other.membership_id
      WHERE other.tenant_id = wm.tenant_id AND other.workspace_id = w.id AND other.role = 'admin'
        AND other.user_id <> wm.user_id AND m.is_active AND m.role <> 'auditor')
  ORDER BY w.id
$$;

CREATE FUNCTION hand_over(tenant uuid, person uuid, heir uuid)
RETURNS TABLE (workspace uuid, title varchar, to_person uuid, to_name varchar)
LANGUAGE sql VOLATILE SET search_path = public, pg_temp AS $$
  WITH given AS MATERIALIZED (SELECT * FROM handovers(hand_over.tenant, hand_over.person, hand_over.heir)),
  made AS (
    INSERT INTO tenants_workspacemember (id, tenant_id, workspace_id, membership_id, user_id, role)
    SELECT new_id(), hand_over.tenant, g.workspace, g.to_seat, g.to_person, 'admin' FROM given g
    ON CONFLICT (tenant_id, workspace_id, user_id) DO UPDATE SET role = 'admin')
  SELECT g.workspace, g.title, g.to_person, g.to_name FROM given g
$$;

-- Who may change or end a seat: its own person ends it; an owner, and staff, every one; an admin those that
-- are no owner's.
CREATE FUNCTION may_govern(seat_role text) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT coalesce(my_role() IN ('owner', 'staff') OR (my_role() = 'admin' AND seat_role <> 'owner'), false)
$$;

CREATE FUNCTION is_mine(person uuid) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT coalesce(my_role() IS NOT NULL AND is_mine.person = my_person(), false)
$$;

-- All that the end of a seat brings with it, but for the end itself: who ends their own seat has to write the
-- log first. Keys are dead for good, and so are open invitations to the person and by them; their own
-- workspace is kept, and closed with the seat. Answers what was handed over, and to whom.
CREATE FUNCTION empty_seat(seat uuid)
RETURNS TABLE (workspace uuid, title varchar, to_person uuid, to_name varchar)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE them tenants_membership;
BEGIN
  PERFORM FROM tenants_tenant WHERE id = my_tenant() FOR NO KEY UPDATE;
  SELECT * INTO them FROM tenants_membership m
  WHERE m.tenant_id = my_tenant() AND m.id = seat AND m.is_active;
  IF them.id IS NULL OR NOT (may_govern(them.role) OR is_mine(them.user_id)) THEN
    RAISE insufficient_privilege USING MESSAGE = 'this seat is not yours to end';
  END IF;
  RETURN QUERY SELECT * FROM hand_over(
    them.tenant_id, them.user_id, nullif(my_person(), them.user_id));
  PERFORM put_out(them.tenant_id, them.user_id);
  UPDATE tenants_apikey k SET revoked_at = now()
  WHERE k.tenant_id = them.tenant_id AND k.user_id = them.user_id AND k.revoked_at IS NULL;
  UPDATE tenants_invitation i SET revoked_at = now()
  WHERE i.tenant_id = them.tenant_id AND i.accepted_at IS NULL AND i.revoked_at IS NULL
    AND (i.inviter_id = them.user_id
         OR lower(i.email) = (SELECT lower(u.email) FROM tenants_user u WHERE u.id = them.user_id));
END $$;

-- Another role in the tenant. Who becomes an auditor hands over as who leaves does, since they reach no more.
CREATE FUNCTION change_seat(seat uuid, new_role text)
RETURNS TABLE (workspace uuid, title varchar, to_person uuid, to_name varchar)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE them tenants_membership;
BEGIN
  PERFORM FROM tenants_tenant WHERE id = my_tenant() FOR NO KEY UPDATE;
  SELECT * INTO them FROM tenants_membership m
  WHERE m.tenant_id = my_tenant() AND m.id = seat AND m.is_active;
  IF them.id IS NULL OR NOT (may_govern(them.role) AND may_govern(new_role)) THEN
    RAISE insufficient_privilege USING MESSAGE = 'this role is not yours to give';
  END IF;
  IF new_role = 'auditor' THEN
    RETURN QUERY SELECT * FROM hand_over(
      them.tenant_id, them.user_id, nullif(my_person(), them.user_id));
    PERFORM put_out(them.tenant_id, them.user_id);
  ELSE
    PERFORM place_in_organisation(them.tenant_id, them.id, new_role);
  END IF;
  UPDATE tenants_membership m SET role = new_role WHERE m.id = them.id;
END $$;

-- What would happen if a seat ended, as JSON. Of the workspaces that its person leaves, those by name which
-- the asker sees; what is handed over is named to who decides.
CREATE FUNCTION preview_end(seat uuid) RETURNS jsonb
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE them tenants_membership;
BEGIN
  SELECT * INTO them FROM tenants_membership m
  WHERE m.tenant_id = my_tenant() AND m.id = seat AND m.is_active;
  IF them.id IS NULL OR NOT (may_govern(them.role) OR is_mine(them.user_id)) THEN
    RETURN NULL;
  END IF;
  RETURN jsonb_build_object(
    'private', (SELECT jsonb_build_object('id', w.id, 'name', w.name) FROM tenants_workspacemember wm
                JOIN tenants_workspace w ON w.tenant_id = wm.tenant_id AND w.id = wm.workspace_id
                WHERE wm.tenant_id = them.tenant_id AND wm.user_id = them.user_id AND w.kind = 'personal'
                LIMIT 1),
    'shared', (SELECT coalesce(jsonb_agg(jsonb_build_object('id', w.id, 'name', w.name, 'kind', w.kind)
                                         ORDER BY w.id), '[]')
               FROM tenants_workspacemember wm
               JOIN tenants_workspace w ON w.tenant_id = wm.tenant_id AND w.id = wm.workspace_id
               WHERE wm.tenant_id = them.tenant_id AND wm.user_id = them.user_id AND w.kind <> 'personal'
                 AND w.id = ANY ((SELECT my_workspaces())::uuid[])),
    'handovers', (SELECT coalesce(jsonb_agg(jsonb_build_object('workspace', h.title, 'to', h.to_name)), '[]')
                  FROM handovers(them.tenant_id, them.user_id, nullif(my_person(), them.user_id)) h),
    'keys', (SELECT count(*) FROM tenants_apikey k
             WHERE k.tenant_id = them.tenant_id AND k.user_id = them.user_id AND k.revoked_at IS NULL
               AND (k.expires_at IS NULL OR k.expires_at > now())),
    'is_last_owner', them.role = 'owner' AND NOT EXISTS (
       SELECT FROM tenants_membership m WHERE m.tenant_id = them.tenant_id AND m.id <> them.id
         AND m.role = 'owner' AND m.is_active));
END $$;
"""

CLOSED = """
-- Closed workspaces, out of everybody's reach, whose admin the present person is.
CREATE FUNCTION closed_workspaces() RETURNS TABLE (workspace uuid, title varchar, closed_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT w.id, w.name, w.retired_at
  FROM tenants_workspace w
  JOIN tenants_workspacemember wm ON wm.tenant_id = w.tenant_id AND wm.workspace_id = w.id
  WHERE w.tenant_id = my_tenant() AND w.retired_at IS NOT NULL AND wm.user_id = my_person()
    AND wm.role = 'admin' AND my_role() <> 'auditor'
  ORDER BY w.retired_at DESC
$$;

CREATE FUNCTION reopen_workspace(workspace uuid) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE tenants_workspace w SET retired_at = NULL
  WHERE w.tenant_id = my_tenant() AND w.id = reopen_workspace.workspace
    AND w.id IN (SELECT c.workspace FROM closed_workspaces() c);
  RETURN FOUND;
END $$;
"""

FOR_THE_APP = (
    "empty_seat(uuid)",
    "change_seat(uuid, text)",
    "preview_end(uuid)",
    "closed_workspaces()",
    "reopen_workspace(uuid)",
)
FOR_THE_OWNER = (
    "place_in_organisation(uuid, uuid, text)",
    "put_out(uuid, uuid)",
    "handovers(uuid, uuid, uuid)",
    "hand_over(uuid, uuid, uuid)",
    "may_govern(text)",
    "is_mine(uuid)",
)
