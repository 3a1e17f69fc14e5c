"""Players without a person: they answer at nodes of the machine, by what their player can see."""
