"""`{% typed "compress" "NAME" %}`: a command line as the user types it."""

from django import template

from ville.command_lines import typed

register = template.Library()
register.simple_tag(typed)
