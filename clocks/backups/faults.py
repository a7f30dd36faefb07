"""What can go wrong with a copy, said in a sentence."""


class NotKept(Exception):
    """A copy could not be taken or brought back; the words say why and what to do."""
