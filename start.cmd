@echo off
rem Double-click this on Windows to start the clock. The window shows the address for the players.
cd /d "%~dp0"
set PYTHONUTF8=1
where py >nul 2>nul && (py -3 start.py %* & goto end)
where python >nul 2>nul && (python start.py %* & goto end)
echo Install Python 3.11 or newer first: https://www.python.org/downloads/
:end
pause
