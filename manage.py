#!/usr/bin/env python
"""Run a management command: `python manage.py help` lists them."""

import errno
import gc
import os
import sys

FEW_PASSES = 100_000  # objects made from one pass to the next, not 700

if __name__ == "__main__":
    gc.set_threshold(FEW_PASSES)  # nothing that is imported is garbage, and to look for it takes a tenth of a second
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
    except ImproperlyConfigured as wrong:  # a sentence for whoever sets it, and no fault of ours
        sys.exit(str(wrong))
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        sys.exit("The disk is full, and what was asked for is not done. Make room on it, and try again.")
    except OperationalError as error:
        if "--traceback" in sys.argv:
            raise
        sys.exit(f"The database refuses: {error}. `manage.py upgrade` finds out what it needs.")
