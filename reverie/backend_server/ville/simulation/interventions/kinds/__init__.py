"""One file for each kind of intervention, named after it: its fields, its check, its effect, and how it is told.

A function that prepares an intervention checks it against the town, asks a model if it must, and changes nothing. The
`Effect` it returns is applied once the intervention is in the log.
"""
