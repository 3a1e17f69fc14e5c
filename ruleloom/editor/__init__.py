"""The editor: a language server, and its features over the open state of packs."""
