"""The SQL functions by which owners and admins read members' chats, as the fifth migration makes them.

They look past the policies, and therefore decide by themselves who may, and write the log by themselves:
there is no reading without its event, and the member sees it. A landed text is never edited.
"""

from __future__ import annotations

READING_CHATS = """
-- Whether the present person governs a tenant that allows it. The member sits there still: what belonged to
-- somebody who has left is closed for everybody.
CREATE FUNCTION may_read_chats_of(member uuid) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT coalesce(my_role() IN ('owner', 'admin'), false) AND EXISTS (
    SELECT FROM tenants_tenant t
    JOIN tenants_membership m ON m.tenant_id = t.id AND m.user_id = may_read_chats_of.member AND m.is_active
    WHERE t.id = my_tenant() AND t.admins_read_chats)
$$;

-- Chats in a member's own workspace; a team's chats are read by who is in the team. No title: it is made of
-- what was said.
CREATE FUNCTION note_reading(
  event uuid, action text, member uuid, chat uuid, key uuid, address text, request text)
RETURNS void LANGUAGE sql VOLATILE SET search_path = public, pg_temp AS $$
  INSERT INTO tenants_auditevent (
    id, tenant_id, at, actor_kind, actor_id, actor_name, key_id, action, object_kind, object_id, object_name,
    workspace_id, workspace_name, subject_id, address, request_id, details)
  SELECT event, my_tenant(), clock_timestamp(), CASE WHEN key IS NULL THEN 'person' ELSE 'key' END,
         my_person(), coalesce((SELECT left(m.name, 200) FROM tenants_membership m
                                WHERE m.tenant_id = my_tenant() AND m.user_id = my_person()), ''),
         key, action, 'conversation', chat, '', own.id, own.name, member, address, request, '{}'
  FROM (SELECT w.id, w.name FROM tenants_workspacemember wm
        JOIN tenants_workspace w ON w.tenant_id = wm.tenant_id AND w.id = wm.workspace_id
        WHERE wm.tenant_id = my_tenant() AND wm.user_id = note_reading.member AND w.kind = 'personal'
        LIMIT 1) own
$$;

CREATE FUNCTION own_chats_of(member uuid) RETURNS SETOF memory_conversation
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT c.* FROM tenants_workspacemember wm
  JOIN tenants_workspace w ON w.tenant_id = wm.tenant_id AND w.id = wm.workspace_id AND w.kind = 'personal'
  JOIN memory_conversation c ON c.tenant_id = w.tenant_id AND c.workspace_id = w.id
  WHERE wm.tenant_id = my_tenant() AND wm.user_id = own_chats_of.member
    AND c.owner_id = own_chats_of.member AND c.deleted_at IS NULL
$$;

CREATE FUNCTION chats_of_member(
  member uuid, most integer, skipped integer, event uuid, key uuid, address text, request text)
RETURNS TABLE (conversation uuid, title varchar, created_at timestamptz, last_message_at timestamptz)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT may_read_chats_of(member) THEN
    RAISE insufficient_privilege USING MESSAGE = 'these chats are not yours to read';
  END IF;
  PERFORM note_reading(event, 'chats.listed', member, NULL, key, address, request);
  RETURN QUERY SELECT c.id, c.title, c.created_at, c.last_message_at FROM own_chats_of(member) c
               ORDER BY c.last_message_at DESC, c.id DESC LIMIT most OFFSET skipped;
END $$;

-- The newest messages before a position, newest first; one row with no message where there are none. No row
-- where there is no such chat, and then nothing was read and nothing is noted.
CREATE FUNCTION read_member_chat(
  member uuid, chat uuid, before bigint, most integer, event uuid, key uuid, address text, request text)
RETURNS TABLE (title varchar, message uuid, "position" bigint, speaker varchar, content text,
               said_at timestamptz)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE found memory_conversation;
BEGIN
  SELECT * INTO found FROM own_chats_of(member) c WHERE c.id = chat;
  IF found.id IS NULL OR NOT may_read_chats_of(member) THEN
    RETURN;
  END IF;
  PERFORM note_reading(event, 'chat.read', member, found.id, key, address, request);
  RETURN QUERY
    SELECT found.title, m.id, m.position, m.role, m.content, m.created_at
    FROM (SELECT) one LEFT JOIN LATERAL (
      SELECT * FROM memory_message s
      WHERE s.tenant_id = found.tenant_id AND s.conversation_id = found.id AND s.position < before
      ORDER BY s.position DESC LIMIT most) m ON true
    ORDER BY m.position DESC;
END $$;
"""

FOR_THE_APP = (
    "chats_of_member(uuid, integer, integer, uuid, uuid, text, text)",
    "read_member_chat(uuid, uuid, bigint, integer, uuid, uuid, text, text)",
)
FOR_THE_OWNER = (
    "may_read_chats_of(uuid)",
    "note_reading(uuid, text, uuid, uuid, uuid, text, text)",
    "own_chats_of(uuid)",
)
