"""Embeddings: vectors of what is remembered, and of what is asked."""

from memory.embedding.base import Embedder, EmbedderDown, Vector
from memory.embedding.catalog import serving_models
from memory.embedding.pending import embed_pending
from memory.embedding.queries import query_vectors

__all__ = ["Embedder", "EmbedderDown", "Vector", "embed_pending", "query_vectors", "serving_models"]
