"""What a check came to, kept so that packs that have not changed are answered without compiling
them."""
