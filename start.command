#!/bin/sh
# Double-click this on a Mac to start the clock. The window shows the address for the players.
cd "$(dirname "$0")" || exit 1
if ! command -v python3 >/dev/null; then
    echo "Install Python 3.11 or newer first: https://www.python.org/downloads/"
else
    python3 start.py "$@" && exit
fi
echo
echo "Press Return to close this window."
read -r _
