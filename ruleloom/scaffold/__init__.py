"""Starting points of packs and items: worked examples that are packs themselves."""
