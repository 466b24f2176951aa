"""What the cognitive modules ask: a Question for every template, a template for every Question."""
