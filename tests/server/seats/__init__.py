"""Claims, borrowed seats, takeovers and presence of phones."""
