"""The basic facts about text, one module each: folding, words, language, sentences, quantities, dates, units, marks."""
