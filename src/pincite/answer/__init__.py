"""Answer questions. Start with `pipeline.py`, which runs the five stages in order."""
