"""The command line: `main.run` is what the `ruleloom` command starts."""
