"""The engine that pages drive: takes requests from the inbox, carries them out, and hosts simulations."""
