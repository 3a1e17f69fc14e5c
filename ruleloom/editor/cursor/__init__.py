"""Where somebody writes: in which field of which item, and where in an effect text."""
