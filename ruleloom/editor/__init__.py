"""What an editor shows and changes, worked out from packs as they stand in it; no protocol."""
