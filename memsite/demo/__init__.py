"""A site filled for trying out: a colleague, a team with agents and governed blocks, proposals, chats.

Everything is made by the same domain functions as people's clicks, and nothing twice: what a run finds, it
leaves as it is.
"""
