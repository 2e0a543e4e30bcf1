"""Decide whether cited words support a sentence: code checks quotes and facts, a judge checks the meaning."""
