"""The English of a game: rules texts made from effect text, and the words that explain a
refusal."""
