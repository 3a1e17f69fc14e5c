"""The English of a game: rules texts made from effects, and the explanations of refusals."""
