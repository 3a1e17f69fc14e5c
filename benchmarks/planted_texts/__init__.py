"""Measures how many wrong card texts the comparison of texts with rules finds, and how many right ones it blames."""
