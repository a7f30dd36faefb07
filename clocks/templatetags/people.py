"""Template filters for people's names."""

from django import template

from clocks.journal import names

register = template.Library()
register.filter("called", names.called)
