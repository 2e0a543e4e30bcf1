"""Pincite: answers from your documents, every sentence pinned to the characters that support it."""

__version__ = "0.1.0"
