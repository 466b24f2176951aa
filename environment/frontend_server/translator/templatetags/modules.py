"""`{% module "js/pages/live.js" %}`: a script of a page, with all that it imports."""

from django import template
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from translator.static.page_modules import imported_modules, scripts

register = template.Library()


@register.simple_tag
def module(*names: str) -> SafeString:
    """Return an element for each script, in this order, and one for each module they need, to be fetched at once.

    A name that ends in `/` is a folder, and stands for its scripts.
    """
    run = [script for name in names for script in scripts(name)]
    needed = dict.fromkeys(module for script in run for module in imported_modules(script) if module not in run)
    preloads = format_html_join("\n", '<link rel="modulepreload" href="{}">', ((static(name),) for name in needed))
    elements = format_html_join("\n", '<script src="{}" type="module"></script>', ((static(name),) for name in run))
    return format_html("{}\n{}", preloads, elements)
