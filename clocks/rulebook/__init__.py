"""What the clock does under each rule book, for players to read and for the practice clock."""
