"""How a day is made: duties, meals and pastimes into hours, hours into steps, steps into places and objects."""
