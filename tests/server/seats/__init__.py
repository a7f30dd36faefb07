"""Seat claims, borrowed seats, takeovers and presence of phones."""
