"""Effects of interventions on the town: one function for each kind, one file for each noun.

A function checks an intervention against the town, asks a model if it must, and changes nothing. The `Effect` it
returns is applied once the intervention is in the log.
"""
