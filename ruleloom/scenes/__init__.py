"""The things on a table at one moment, as one viewer may see them; the terminal and pages draw them."""
