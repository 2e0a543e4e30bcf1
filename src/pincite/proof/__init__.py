"""Whether cited words support a sentence: exact code for quotes and facts, a judge for meaning."""
