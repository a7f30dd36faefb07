"""Who meets whom in the next round, by the methods that directors use: pure, players are names in an order."""
