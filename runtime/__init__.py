"""The machine that plays compiled programs; it needs neither YAML nor a parser."""
