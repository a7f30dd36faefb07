"""Who holds a seat: whether its phone was heard, and how another phone asks for it."""
