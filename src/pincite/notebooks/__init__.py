"""Notebooks: things that a person keeps, and their highlights and comments on documents."""
