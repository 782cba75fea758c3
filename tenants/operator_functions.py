"""The SQL functions through which the site's staff come in: who is staff, and what a tenant opens to them.

`my_staff()` looks the person up each time, so whoever is no longer staff reaches nothing with the next
statement. A landed text is never edited: a later migration replaces it.
"""

from __future__ import annotations

# Who of the staff is asking, as `enter_scope` set it: nothing for everybody else.
STAFF = """
CREATE FUNCTION my_staff() RETURNS uuid LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = public, pg_temp AS $$
  SELECT u.id FROM tenants_user u
  WHERE u.id = nullif(current_setting('memsite.staff', true), '')::uuid AND u.is_staff AND u.is_active
    AND my_person() IS NULL
$$;

-- As before, and staff has a role of its own where it is not narrowed.
CREATE OR REPLACE FUNCTION my_role() RETURNS varchar
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT m.role FROM tenants_membership m
  WHERE m.tenant_id = nullif(current_setting('memsite.tenant', true), '')::uuid AND m.user_id = my_person()
    AND m.is_active AND current_setting('memsite.reach', true) = '*'
  UNION ALL
  SELECT 'staff' WHERE current_setting('memsite.reach', true) = '*' AND my_staff() IS NOT NULL
$$;

-- As before, and staff reaches every workspace of the tenant, without being in any.
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
    AND CASE WHEN me.person IS NULL THEN me.reach <> '*' OR (SELECT my_staff()) IS NOT NULL
             ELSE wm.id IS NOT NULL END
$$;

DROP FUNCTION enter_scope(text, text, text);
CREATE FUNCTION enter_scope(tenant text, person text, reach text, staff text)
RETURNS TABLE (workspace uuid, kind varchar, role varchar)
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM set_config('memsite.tenant', enter_scope.tenant, true),
          set_config('memsite.person', enter_scope.person, true),
          set_config('memsite.reach', enter_scope.reach, true),
          set_config('memsite.staff', enter_scope.staff, true);
  RETURN QUERY SELECT * FROM reachable_workspaces();
END $$;
"""

# Before one is entered, staff sees that there are tenants, and no more; `total` is how many were found.
DOORS = """
CREATE FUNCTION tenants_for_staff(staff uuid, words text, most integer, skipped integer)
RETURNS TABLE (tenant uuid, slug varchar, name varchar, created_at timestamptz, people bigint,
               operators_read boolean, total bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT t.id, t.slug, t.name, t.created_at,
         (SELECT count(*) FROM tenants_membership m WHERE m.tenant_id = t.id AND m.is_active),
         t.operators_read, count(*) OVER ()
  FROM tenants_tenant t
  WHERE EXISTS (SELECT FROM tenants_user u
                WHERE u.id = tenants_for_staff.staff AND u.is_staff AND u.is_active)
    AND strpos(lower(t.name || ' ' || t.slug), lower(tenants_for_staff.words)) > 0
  ORDER BY t.created_at DESC, t.id DESC LIMIT most OFFSET skipped
$$;
"""

FOR_THE_APP = (
    "my_staff()",
    "enter_scope(text, text, text, text)",
    "tenants_for_staff(uuid, text, integer, integer)",
)
# Of `tenants.functions`; another with one more argument stands in its place.
GONE = ("enter_scope(text, text, text)",)
