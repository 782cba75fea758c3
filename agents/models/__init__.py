"""Who thinks: providers and models, agents, what an agent sees of a conversation, turns, steps, events."""

from agents.models.agents import Agent, AgentArchive, AgentBlock, AgentSkill
from agents.models.providers import WINDOW_MAX, WINDOW_MIN, LanguageModel, Provider
from agents.models.turns import Approval, ExternalCall, MainContext, PartText, Step, Turn, TurnEvent

__all__ = [
    "WINDOW_MAX",
    "WINDOW_MIN",
    "Agent",
    "AgentArchive",
    "AgentBlock",
    "AgentSkill",
    "Approval",
    "ExternalCall",
    "LanguageModel",
    "MainContext",
    "PartText",
    "Provider",
    "Step",
    "Turn",
    "TurnEvent",
]
