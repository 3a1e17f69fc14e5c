"""The features of an editor, worked out from packs as they stand in it; no protocol."""
