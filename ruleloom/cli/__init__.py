"""The command line: `main.run` is the entry point of `ruleloom`."""
