"""Things outdoors: plants, rocks, and what stands in streets, squares and yards."""
