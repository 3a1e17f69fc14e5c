"""Planted changes: what `ruleloom balance` finds of changes whose size was decided beforehand."""
