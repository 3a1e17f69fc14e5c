"""Reports of simulations: pages of tables and charts, as text, Markdown and HTML."""
