"""People, as pages speak of them."""

from django import template

from clocks.journal import names

register = template.Library()
register.filter("called", names.called)
