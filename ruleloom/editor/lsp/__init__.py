"""The language server: the protocol around `ruleloom.editor`."""
