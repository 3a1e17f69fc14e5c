"""The workbench: a browser editor for the files of packs, with a live preview of their items."""
