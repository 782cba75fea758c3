"""The nine kinds of tool rules, by Letta's names and fields, and what each means in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter

# What a tool answered, on a line of its own: pages show a mapping as lines.
Answer = Annotated[str, StringConstraints(pattern=r"^[^\r\n]*[^\s][^\r\n]*$")]


class Rule(BaseModel):
    """What all rules have: the tool that they are about."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", frozen=True)
    tool_name: str


class RunFirst(Rule):
    """A turn begins with this tool, or with another one of which the same is said."""

    type: Literal["run_first"]


class ExitLoop(Rule):
    """The turn ends when this tool has run."""

    type: Literal["exit_loop"]


class ContinueLoop(Rule):
    """The turn goes on when this tool has run, also where that is send_message."""

    type: Literal["continue_loop"]


class Conditional(Rule):
    """What this tool answers says which one comes next."""

    type: Literal["conditional"]
    child_output_mapping: dict[Answer, str] = Field(min_length=1)
    default_child: str | None = None
    require_output_mapping: bool = False


class ConstrainChildTools(Rule):
    """After this tool comes one of its children."""

    type: Literal["constrain_child_tools"]
    children: list[str] = Field(min_length=1)


class MaxCountPerStep(Rule):
    """This tool runs so often in a turn and no more; 0 switches it off."""

    type: Literal["max_count_per_step"]
    max_count_limit: int = Field(ge=0, le=1000, strict=True)


class ParentLastTool(Rule):
    """Its children are called right after this tool only, and after it nothing else is."""

    type: Literal["parent_last_tool"]
    children: list[str] = Field(min_length=1)


class RequiredBeforeExit(Rule):
    """The turn does not end before this tool has run."""

    type: Literal["required_before_exit"]


class RequiresApproval(Rule):
    """A call of this tool waits until a person has said yes."""

    type: Literal["requires_approval"]


AnyRule = Annotated[
    RunFirst
    | ExitLoop
    | ContinueLoop
    | Conditional
    | ConstrainChildTools
    | MaxCountPerStep
    | ParentLastTool
    | RequiredBeforeExit
    | RequiresApproval,
    Field(discriminator="type"),
]
PARSER: TypeAdapter[AnyRule] = TypeAdapter(AnyRule)


@dataclass(frozen=True)
class Kind:
    """A kind of rule as pages offer it: its name, what it means, and what it asks for beside the tool.

    `fields` are names of the rule's fields; a page knows how each is typed in.
    """

    type: str
    title: Promise
    explanation: Promise
    fields: tuple[str, ...] = ()


KINDS: tuple[Kind, ...] = (
    Kind(
        "run_first",
        _("Run first"),
        _("A turn begins with this tool. Where several tools run first, it begins with one of them."),
    ),
    Kind(
        "exit_loop",
        _("Ends the turn"),
        _("The turn ends when this tool has run. Without such a rule only speaking ends it."),
    ),
    Kind(
        "continue_loop",
        _("Goes on"),
        _("The turn goes on when this tool has run, also where the tool speaks."),
    ),
    Kind(
        "conditional",
        _("Next by answer"),
        _("What the tool answers (message, status, or how many it found) says which tool comes next."),
        ("child_output_mapping", "default_child", "require_output_mapping"),
    ),
    Kind(
        "constrain_child_tools",
        _("Next one of"),
        _("After this tool comes one of its children."),
        ("children",),
    ),
    Kind(
        "max_count_per_step",
        _("At most so often"),
        _("The tool runs at most so often in one turn. 0 switches it off."),
        ("max_count_limit",),
    ),
    Kind(
        "parent_last_tool",
        _("Only right after"),
        _("Its children can be called right after this tool only, and after it only they can."),
        ("children",),
    ),
    Kind(
        "required_before_exit",
        _("Required"),
        _("The turn does not end before this tool has run."),
    ),
    Kind(
        "requires_approval",
        _("Asks first"),
        _("Each call waits until a person has said yes, in the chat or over the API."),
    ),
)
