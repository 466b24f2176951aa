"""Model files that llama.cpp serves beside the engine: the file, the plan of its server, the server, its clients."""
