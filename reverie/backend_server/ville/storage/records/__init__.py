"""The files of a simulation, one module for each: meta, memories, persona files, interventions, titles."""
