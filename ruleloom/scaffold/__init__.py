"""Starting points for packs and items, from worked examples that are packs themselves."""
