"""Printed cards: layouts filled with things, as SVG, HTML, PDF and PNG."""
