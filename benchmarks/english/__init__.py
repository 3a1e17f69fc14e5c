"""How good the generated English is: cards and full texts against a sheet of facts by hand."""
