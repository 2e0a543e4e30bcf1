"""Export conversations as Markdown, HTML and PDF files with footnotes and a bibliography."""
