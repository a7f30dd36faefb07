#!/usr/bin/env python
"""Run a management command: `python manage.py help` lists them."""

import errno
import gc
import os
import sys

FEW_PASSES = 100_000  # new objects between two collections; Python's default is 700

if __name__ == "__main__":
    gc.set_threshold(FEW_PASSES)  # imports leave no garbage, and collections would take a tenth of a second
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if sys.argv[1:] == ["--version"]:
        from clocks.host.version import version

        print(version())
        sys.exit()
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line
    from django.db.utils import OperationalError

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as wrong:  # a wrong setting: its sentence without a traceback
        sys.exit(str(wrong))
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        sys.exit("The disk is full, and what was asked for is not done. Make room on it, and try again.")
    except OperationalError as error:
        if "--traceback" in sys.argv:
            raise
        sys.exit(f"The database refuses: {error}. `manage.py upgrade` finds out what it needs.")
