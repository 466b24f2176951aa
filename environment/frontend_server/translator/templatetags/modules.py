"""`{% module "js/pages/live.js" %}`: a script of a page, with all that it imports."""

from django import template
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from translator.page_modules import imported_modules

register = template.Library()


@register.simple_tag
def module(script: str) -> SafeString:
    """Return the script's element, and one for each module it needs, so that they are fetched at the same time."""
    needed = imported_modules(script)[1:]
    preloads = format_html_join("\n", '<link rel="modulepreload" href="{}">', ((static(name),) for name in needed))
    return format_html('{}\n<script src="{}" type="module"></script>', preloads, static(script))
