"""The SQL functions of the tenants' floor, as the first migration makes them.

All that are SECURITY DEFINER belong to the owner of the tables and so look past the policies: they are
few, take ids, and answer with the least. Their search path names pg_temp last: unnamed it would come first,
and a temporary table could stand in for a real one. A landed text is never edited: a later migration
replaces it.
"""

from __future__ import annotations

# Who is asking, as `enter_scope` set it: nothing until then (default deny).
IDENTITY = """
CREATE FUNCTION my_person() RETURNS uuid LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT nullif(current_setting('memsite.person', true), '')::uuid
$$;

CREATE FUNCTION reachable_workspaces()
RETURNS TABLE (workspace uuid, kind varchar, role varchar)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT w.id, w.kind, coalesce(wm.role, 'editor')
  FROM (SELECT nullif(current_setting('memsite.tenant', true), '')::uuid AS tenant,
               nullif(current_setting('memsite.person', true), '')::uuid AS person,
               coalesce(current_setting('memsite.reach', true), '') AS reach) me
  JOIN tenants_workspace w ON w.tenant_id = me.tenant
  LEFT JOIN tenants_workspacemember wm
    ON wm.tenant_id = w.tenant_id AND wm.workspace_id = w.id AND wm.user_id = me.person
   AND EXISTS (SELECT FROM tenants_membership m
               WHERE m.tenant_id = wm.tenant_id AND m.id = wm.membership_id AND m.user_id = wm.user_id
                 AND m.is_active)
  WHERE (me.reach = '*' OR w.id::text = ANY (string_to_array(me.reach, ',')))
    AND CASE WHEN me.person IS NULL THEN me.reach <> '*' ELSE wm.id IS NOT NULL END
$$;

CREATE FUNCTION my_workspaces() RETURNS uuid[]
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT coalesce(array_agg(workspace), '{}') FROM reachable_workspaces()
$$;

CREATE FUNCTION my_tenant() RETURNS uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT t.id FROM tenants_tenant t
  WHERE t.id = nullif(current_setting('memsite.tenant', true), '')::uuid
    AND CASE WHEN my_person() IS NULL
        THEN EXISTS (SELECT FROM reachable_workspaces())
        ELSE EXISTS (SELECT FROM tenants_membership m
                     WHERE m.tenant_id = t.id AND m.user_id = my_person() AND m.is_active) END
$$;

CREATE FUNCTION enter_scope(tenant text, person text, reach text)
RETURNS TABLE (workspace uuid, kind varchar, role varchar)
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('memsite.tenant', enter_scope.tenant, true),
          set_config('memsite.person', enter_scope.person, true),
          set_config('memsite.reach', enter_scope.reach, true);
  RETURN QUERY SELECT * FROM reachable_workspaces();
END $$;
"""

# What has to be known before an identity is.
DOORS = """
CREATE FUNCTION tenants_of(person uuid)
RETURNS TABLE (tenant uuid, slug varchar, name varchar, role varchar, display_name varchar, workspaces uuid[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT t.id, t.slug, t.name, m.role, m.name,
         ARRAY(SELECT wm.workspace_id FROM tenants_workspacemember wm
               WHERE wm.tenant_id = t.id AND wm.user_id = m.user_id)
  FROM tenants_membership m JOIN tenants_tenant t ON t.id = m.tenant_id
  WHERE m.user_id = tenants_of.person AND m.is_active ORDER BY m.id
$$;

CREATE FUNCTION key_by_digest(digest text)
RETURNS TABLE (key uuid, tenant uuid, person uuid, scopes jsonb, seen timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT k.id, k.tenant_id, k.user_id, k.scopes, k.last_used_at
  FROM tenants_apikey k
  JOIN tenants_membership m ON m.tenant_id = k.tenant_id AND m.user_id = k.user_id AND m.is_active
  JOIN tenants_user u ON u.id = k.user_id AND u.is_active
  WHERE k.digest = key_by_digest.digest AND k.revoked_at IS NULL
    AND (k.expires_at IS NULL OR k.expires_at > now())
$$;

CREATE FUNCTION any_tenant() RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM tenants_tenant)
$$;

CREATE FUNCTION tenant_by_slug(slug text) RETURNS uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT id FROM tenants_tenant t WHERE t.slug = tenant_by_slug.slug
$$;

-- One person's seat: a membership, a workspace of their own, and a place in the organisation's.
CREATE FUNCTION seat(tenant uuid, person uuid, display_name text, seat_role text, ids uuid[])
RETURNS void LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO tenants_membership (id, tenant_id, user_id, name, role, is_active, created_at)
  VALUES (ids[1], tenant, person, display_name, seat_role, true, now());
  INSERT INTO tenants_workspace (id, tenant_id, kind, name, created_at)
  VALUES (ids[2], tenant, 'personal', display_name, now());
  INSERT INTO tenants_workspacemember (id, tenant_id, workspace_id, membership_id, user_id, role)
  VALUES (ids[3], tenant, ids[2], ids[1], person, 'admin');
  INSERT INTO tenants_workspacemember (id, tenant_id, workspace_id, membership_id, user_id, role)
  SELECT ids[4], tenant, w.id, ids[1], person,
         CASE WHEN seat_role IN ('owner', 'admin') THEN 'admin' ELSE 'member' END
  FROM tenants_workspace w WHERE w.tenant_id = tenant AND w.kind = 'organisation';
END $$;

CREATE FUNCTION create_tenant(
  tenant uuid, slug text, tenant_name text, person uuid, display_name text, ids uuid[])
RETURNS void LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO tenants_tenant (id, slug, name, created_at) VALUES (tenant, slug, tenant_name, now());
  INSERT INTO tenants_workspace (id, tenant_id, kind, name, created_at)
  VALUES (ids[5], tenant, 'organisation', tenant_name, now());
  PERFORM seat(tenant, person, display_name, 'owner', ids);
END $$;

-- An owner or admin of the present tenant gives a person a seat.
CREATE FUNCTION add_person(person uuid, display_name text, seat_role text, ids uuid[])
RETURNS void LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE mine varchar;
BEGIN
  SELECT role INTO mine FROM tenants_membership
  WHERE tenant_id = my_tenant() AND user_id = my_person() AND is_active;
  IF mine IS NULL OR mine NOT IN ('owner', 'admin') OR (seat_role = 'owner' AND mine <> 'owner') THEN
    RAISE insufficient_privilege USING MESSAGE = 'only an owner or admin adds people';
  END IF;
  PERFORM seat(my_tenant(), person, display_name, seat_role, ids);
END $$;
"""

# A team workspace and its first admin: the row is invisible until its maker is a member.
WORKSPACES = """
CREATE FUNCTION open_workspace(title text, ids uuid[])
RETURNS void LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE me uuid;
BEGIN
  SELECT id INTO me FROM tenants_membership
  WHERE tenant_id = my_tenant() AND user_id = my_person() AND is_active AND role <> 'auditor';
  IF me IS NULL THEN
    RAISE insufficient_privilege USING MESSAGE = 'only a member opens a workspace';
  END IF;
  INSERT INTO tenants_workspace (id, tenant_id, kind, name, created_at)
  VALUES (ids[1], my_tenant(), 'team', title, now());
  INSERT INTO tenants_workspacemember (id, tenant_id, workspace_id, membership_id, user_id, role)
  VALUES (ids[2], my_tenant(), ids[1], me, my_person(), 'admin');
END $$;
"""

# `seat` is not a definer function and stays the owner's: only the functions above call it.
FOR_THE_APP = (
    "my_person()",
    "reachable_workspaces()",
    "my_workspaces()",
    "my_tenant()",
    "enter_scope(text, text, text)",
    "tenants_of(uuid)",
    "key_by_digest(text)",
    "any_tenant()",
    "tenant_by_slug(text)",
    "create_tenant(uuid, text, text, uuid, text, uuid[])",
    "add_person(uuid, text, text, uuid[])",
    "open_workspace(text, uuid[])",
)
FOR_THE_OWNER = ("seat(uuid, uuid, text, text, uuid[])",)
