"""The verb `build`: making a record, such as a character, in a terminal."""
