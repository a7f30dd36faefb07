"""Who somebody is and what they may do: accounts, roles, sign-in links, phones and their tokens."""
