"""How Alice asks the API about archives, passages, documents and skills, about imports, and searches."""

from tests.tenants.asked import Ask, shows

SKILL = {"name": "fresh", "description": "When it rains.", "content": "Go home."}
IMPORT = {
    "agent": "$agent",
    "title": "Elsewhere",
    "messages": [{"role": "user", "content": "It was said elsewhere.", "external_id": "walk-1"}],
}

FILED_API: dict[str, list[Ask]] = {
    "GET api-archives": [
        shows("$archive"),
        Ask(query={"workspace": "$workspace"}),
        shows("$deleted_archive", query={"deleted": "true"}),
    ],
    "POST api-archives": [Ask(body={"name": "Fresh", "workspace": "$workspace"})],
    "GET api-archive": [Ask(), Ask(path={"archive_id": "$deleted_archive"})],
    "PATCH api-archive": [Ask(body={"name": "Renamed"})],
    "DELETE api-archive": [Ask()],
    "POST api-archive-return": [Ask(path={"archive_id": "$deleted_archive"})],
    "GET api-archive-passages": [Ask(), Ask(query={"tag": "note"}), Ask(query={"deleted": "true"})],
    "POST api-archive-passages": [
        Ask(body={"content": "One more."}),
        Ask(body={"passages": [{"content": "One more."}, {"content": "And another."}]}),
    ],
    "GET api-archive-documents": [Ask(), Ask(query={"status": "failed"}), Ask(query={"deleted": "true"})],
    "POST api-archive-documents": [
        Ask(file="A paper of the walk."),
        Ask(file="Another one.", body={"conversation": "$conversation"}),
        Ask(file="Another one.", body={"conversation": "$conversation"}, own=("archive_id",)),
    ],
    "GET api-passage": [Ask(), Ask(path={"passage_id": "$corrected_passage"})],
    "PATCH api-passage": [Ask(body={"content": "Corrected."}), Ask(body={"tags": ["other"]})],
    "DELETE api-passage": [Ask()],
    "POST api-passage-return": [Ask(path={"passage_id": "$deleted_passage"})],
    "GET api-passage-versions": [Ask(path={"passage_id": "$corrected_passage"})],
    "GET api-passage-similar": [Ask()],
    "GET api-document": [Ask()],
    "DELETE api-document": [Ask()],
    "POST api-document-return": [Ask(path={"document_id": "$deleted_document"})],
    "POST api-document-cancel": [Ask(path={"document_id": "$waiting_document"})],
    "POST api-document-retry": [Ask(path={"document_id": "$failed_document"})],
    "GET api-document-file": [Ask()],
    "GET api-document-passages": [Ask()],
    "GET api-skills": [
        shows("$skill"),
        Ask(query={"workspace": "$workspace"}),
        shows("$deleted_skill", query={"deleted": "true"}),
    ],
    "POST api-skills": [Ask(body=SKILL | {"workspace": "$workspace"})],
    "GET api-skill": [Ask()],
    "PATCH api-skill": [Ask(body={"content": "Stay."}, headers={"If-Match": '"1"'})],
    "DELETE api-skill": [Ask()],
    "POST api-skill-return": [Ask(path={"skill_id": "$deleted_skill"})],
    "GET api-skill-versions": [Ask()],
    "POST api-skill-restore": [Ask(path={"number": 1})],
    "GET api-agent-archives": [Ask()],
    "POST api-agent-archive": [
        Ask(path={"archive_id": "$loose_archive"}),
        Ask(path={"archive_id": "$loose_archive"}, own=("agent_id",)),
        Ask(path={"archive_id": "$loose_archive"}, own=("loose_archive",)),
    ],
    "DELETE api-agent-archive": [Ask()],
    "GET api-agent-skills": [Ask()],
    "POST api-agent-skill": [
        Ask(path={"skill_id": "$loose_skill"}),
        Ask(path={"skill_id": "$loose_skill"}, own=("agent_id",)),
        Ask(path={"skill_id": "$loose_skill"}, own=("loose_skill",)),
    ],
    "DELETE api-agent-skill": [Ask()],
    "POST api-conversations-import": [Ask(body=IMPORT), Ask(body=IMPORT | {"workspace": "$workspace"})],
    "GET api-conversation-indexing": [Ask()],
    "GET api-search": [
        shows("$marker", query={"q": "harvest"}),
        shows("$marker", query={"q": "harvest", "kind": "passage", "tag": "note", "state": "all"}),
        shows("$marker", query={"kind": "passage", "tag": "note"}),
        Ask(query={"q": "harvest", "conversation": "$conversation"}),
        Ask(query={"q": "harvest", "archive": "$archive"}),
        Ask(query={"q": "harvest", "document": "$document"}),
        Ask(query={"q": "harvest", "agent": "$agent"}),
        Ask(query={"q": "harvest", "workspace": "$workspace"}),
    ],
}
