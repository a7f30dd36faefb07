@echo off
rem Double-click this on Windows to start the clock. The window shows the address for the players.
cd /d "%~dp0"
set PYTHONUTF8=1
set FOUND=
where python >nul 2>nul && set FOUND=python
where py >nul 2>nul && set FOUND=py -3
if defined FOUND (%FOUND% start.py %*) else echo Install Python 3.11 or newer first: https://www.python.org/downloads/
pause
