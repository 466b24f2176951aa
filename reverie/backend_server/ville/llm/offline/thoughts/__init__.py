"""What is made of memories: how much they weigh, what follows from them, how a question is answered by them."""
