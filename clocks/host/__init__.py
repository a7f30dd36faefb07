"""What the host this program runs on knows: the time, the version, addresses, the certificate."""
