"""What somebody who watches the server from outside is told: figures for Prometheus, and whether it is ready."""
