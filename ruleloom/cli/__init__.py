"""The command line: `main.run` is the entry point of the `ruleloom` command."""
