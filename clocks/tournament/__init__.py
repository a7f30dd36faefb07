"""Tournament management: tables, rounds, draws, results and players."""
