"""What helps to read a file: what a name means, numbers beside the text, its outline."""
