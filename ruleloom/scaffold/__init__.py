"""Starting points of packs and items, from worked examples that are packs themselves."""
