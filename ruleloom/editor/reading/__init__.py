"""Aids to reading a file: the meaning of names, numbers beside the text, its outline."""
