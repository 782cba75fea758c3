"""A hit in a document names all the pages on which its passage stands."""

from collections.abc import Callable

import pytest
from fpdf import FPDF

from agents import archives
from memory import retrieval
from memory.models import Passage
from memory.retrieval import Filters
from tests.agents.tools.calling import make_tools
from tests.api_calls import get
from tests.cast import Person, new_agent
from tests.memory.documents.making import pdf, said
from tests.memory.documents.uploading import new_archive, uploaded


def short_pages(document: FPDF) -> None:
    """Three pages of one sentence each: one passage."""
    said(document, "The ferry leaves at nine.")
    document.add_page()
    said(document, "The zebra museum closes at four.")
    document.add_page()
    said(document, "The last train is at ten.")


def one_page(document: FPDF) -> None:
    said(document, "The zebra museum closes at four.")


@pytest.mark.parametrize(
    ("draw", "first", "last", "words"), [(short_pages, 1, 3, "pages 1 to 3"), (one_page, 1, 1, "page 1")]
)
def test_search_api_page_and_tool_name_them(
    alice: Person, draw: Callable[[FPDF], None], first: int, last: int, words: str
) -> None:
    tools = make_tools(alice, new_agent(alice))
    document = uploaded(alice, new_archive(alice), pdf(draw), "trip.pdf")
    with alice.scope():
        archives.attach(tools.agent.id, document.archive_id)
        (hit,) = retrieval.search("zebra museum", Filters(kinds=["passage"])).hits
        assert Passage.objects.get(document=document).id == hit.id
    assert (hit.page, hit.page_to) == (first, last)
    (shown,) = get(alice, "search/?q=zebra+museum&kind=passage")["results"]
    assert (shown["page"], shown["page_to"]) == (first, last)
    page = alice.browser.get(f"/w/{alice.personal}/search/?q=zebra+museum").content.decode()
    assert f"trip.pdf, {words}<" in page
    (found,) = tools.call("archival_memory_search", query="zebra museum")["results"]
    assert f", {words}" in found["from"]
