"""Who people are and what they may do: accounts, roles, sessions, sign-in links, phones and their tokens."""
