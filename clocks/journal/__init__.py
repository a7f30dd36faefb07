"""The journal and the state beside it: appending entries and reading what is stored, nothing else."""
