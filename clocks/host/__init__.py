"""What this program's host knows: the time, the version, addresses, the certificate."""
