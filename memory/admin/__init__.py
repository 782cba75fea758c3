"""Doors of the site's staff: sections of the admin about blocks, their versions, proposals and chats."""
