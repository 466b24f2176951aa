"""Files of evaluations of believability: answers, blinded sheets, and ratings. Simulations are not touched."""
