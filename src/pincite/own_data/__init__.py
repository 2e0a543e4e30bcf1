"""Everything of one person: export it as one archive, or delete it."""
