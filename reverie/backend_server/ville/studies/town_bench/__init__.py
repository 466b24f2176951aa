"""The town bench: a fixed study of what a model changes in a town, and as one single resident of it."""
