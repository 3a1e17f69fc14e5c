"""The workbench: the files of packs in an editor in the browser, and beside it what they make."""
