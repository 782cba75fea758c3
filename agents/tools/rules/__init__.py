"""Tool rules: which tools an agent may call now, and what ends its turn.

They are data on the agent, by Letta's names, fields and meanings (its `ToolRulesSolver`, where a "step" is
what is a turn here), and held outside of the model. The schemas that a model is offered stay the same bytes
whatever it may call: its status says that, and a call that may not be made is answered with what may.
"""

from agents.tools.rules.checking import BadRule, checked
from agents.tools.rules.kinds import KINDS, Kind
from agents.tools.rules.solver import Progress, Rules, has_failed, of
from agents.tools.rules.telling import told

__all__ = ["KINDS", "BadRule", "Kind", "Progress", "Rules", "checked", "has_failed", "of", "told"]
