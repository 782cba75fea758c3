"""How Alice asks for the pages of archives, documents, skills and search."""

from tests.tenants.asked import Ask

PASSAGE = {"content": "Another text.", "tags": "note", "importance": "0.5", "version": "$passage_version"}
SKILL = {"name": "another", "description": "When it rains.", "content": "Go home.", "version": "1"}
WEIGHTS = {"lexical": "1", "vector": "1", "importance": "0.5", "recency": "0", "second_stage": "none"}

WINDOW = {
    **{"warn_at": "60", "summarise_at": "80", "flush_at": "95", "flush_to": "50", "clip_at": "20"},
    **{"steps_max": "12", "approval_hours": "72", "keep": "3"},
}
RULE = {"r0-type": "requires_approval", "r0-tool_name": "archival_memory_insert"}

FILED: dict[str, list[Ask]] = {
    "GET archive": [
        Ask(),
        Ask(query={"q": "$marker"}),
        Ask(query={"archive": "$archive", "tag": "note", "by": "user", "trust": "3"}),
        Ask(query={"state": "deleted"}),
    ],
    "GET archive-one": [Ask(), Ask(path={"archive": "$deleted_archive"})],
    "GET archive-new": [Ask()],
    "POST archive-new": [Ask(body={"name": "Fresh"})],
    "GET archive-edit": [Ask()],
    "POST archive-edit": [Ask(body={"name": "Renamed"})],
    "POST archive-delete": [Ask()],
    "POST archive-return": [Ask(path={"archive": "$deleted_archive"})],
    "POST archive-bulk": [Ask(body={"ids": "$passage"})],
    "POST archive-bulk-return": [Ask(query={"at": "$deleted_at"})],
    "GET passage-new": [Ask(), Ask(query={"archive": "$archive"})],
    "POST passage-new": [Ask(body=PASSAGE | {"archive": "$archive"})],
    "GET passage": [Ask(), Ask(path={"passage": "$corrected_passage"})],
    "GET passage-newest": [Ask(path={"passage": "$corrected_passage"})],
    "GET passage-edit": [Ask()],
    "POST passage-edit": [Ask(body=PASSAGE)],
    "POST passage-undo": [Ask(path={"passage": "$correction"})],
    "POST passage-delete": [Ask()],
    "POST passage-return": [Ask(path={"passage": "$deleted_passage"})],
    "GET documents": [
        Ask(),
        Ask(query={"q": "$marker", "archive": "$archive"}),
        Ask(query={"status": "deleted"}),
    ],
    "POST documents": [Ask(body={"archive": "$archive"})],
    "GET document": [Ask(), Ask(query={"at": "0"}), Ask(path={"document": "$failed_document"})],
    "GET document-state": [Ask()],
    "GET document-text": [Ask(), Ask(query={"at": "4", "to": "11"})],
    "GET document-file": [Ask()],
    "POST document-replace": [Ask()],
    "POST document-cancel": [Ask(path={"document": "$waiting_document"})],
    "POST document-retry": [Ask(path={"document": "$failed_document"})],
    "POST document-delete": [Ask()],
    "POST document-return": [Ask(path={"document": "$deleted_document"})],
    "GET search": [
        Ask(query={"q": "$marker"}),
        Ask(query={"q": "$marker", "where": "everywhere", "state": "all"}),
        Ask(query={"q": "harvest", "kind": "documents", "person": "$name"}),
    ],
    "GET skills": [Ask(), Ask(query={"q": "$marker"}), Ask(query={"state": "deleted"})],
    "GET skill-new": [Ask()],
    "POST skill-new": [Ask(body=SKILL)],
    "GET skill": [Ask()],
    "POST skill": [Ask(body=SKILL)],
    "GET skill-versions": [Ask()],
    "GET skill-version": [Ask(path={"number": 1})],
    "POST skill-restore": [Ask(path={"number": 1})],
    "POST skill-delete": [Ask()],
    "POST skill-return": [Ask(path={"skill": "$deleted_skill"})],
    "GET agent-equipment": [Ask()],
    "POST agent-archive-attach": [Ask(body={"archive": "$loose_archive"})],
    "POST agent-archive-detach": [Ask()],
    "POST agent-skill-attach": [Ask(body={"skill": "$loose_skill"})],
    "POST agent-skill-detach": [Ask()],
    "GET agent-search": [Ask()],
    "POST agent-search": [Ask(body=WEIGHTS)],
    "GET agent-window": [Ask()],
    "POST agent-window": [Ask(body=WINDOW)],
    "GET agent-tools": [Ask()],
    "POST agent-tools": [Ask(body=RULE)],
    "GET chat-context": [Ask(), Ask(query={"message": "$message"}), Ask(query={"step": "$step"})],
    "GET summary": [Ask(path={"conversation": "$folded_chat"})],
    "POST summary-anew": [Ask(path={"conversation": "$folded_chat"})],
    "GET chat-timeline": [Ask(), Ask(query={"step": "$step"})],
    "GET chat-compare": [Ask(), Ask(query={"from": "$step", "to": "$step"})],
    "GET chat-why": [Ask(), Ask(query={"q": "harvest", "record": "$marker"})],
    "POST chat-file": [Ask()],
    "POST chat-file-new": [Ask(body={"agent": "$agent"}), Ask(body={"agent": "$agent", "shared": "1"})],
}
