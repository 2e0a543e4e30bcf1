"""Answer a question in several parts: split it, work on the parts in parallel, and join the results."""
