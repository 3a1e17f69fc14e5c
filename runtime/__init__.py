"""Plays compiled programs. Needs neither YAML nor a parser: a bot that embeds a game needs only
this."""
