"""Text for people: the terminal, sheets and chronicles as HTML and Markdown, derivations."""
