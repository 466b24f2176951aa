"""Writes a town file or a people file as YAML: what is equal is written once and named, floor plans stay drawings."""

from typing import Any

import yaml

from town_builder.city.ground_plan import Line, Paragraph
from town_builder.city.pattern import Drawing, Furniture, Rooms

WIDTH = 118


class _Writer(yaml.SafeDumper):
    def ignore_aliases(self, data: Any) -> bool:
        """Name only parts of buildings."""
        return not isinstance(data, (Drawing, Rooms, Furniture))


_MAPPING, _TEXT = "tag:yaml.org,2002:map", "tag:yaml.org,2002:str"
_Writer.add_representer(Drawing, lambda writer, text: writer.represent_scalar(_TEXT, str(text), style="|"))
_Writer.add_representer(Line, lambda writer, part: writer.represent_mapping(_MAPPING, part, flow_style=True))
_Writer.add_representer(Paragraph, lambda writer, part: writer.represent_mapping(_MAPPING, part, flow_style=False))
_Writer.add_representer(Rooms, _Writer.represent_dict)
_Writer.add_representer(Furniture, _Writer.represent_list)


def yaml_text(title: str, content: dict[str, Any]) -> str:
    """Return a file that begins with a comment."""
    body = yaml.dump(content, Dumper=_Writer, sort_keys=False, allow_unicode=True, default_flow_style=None, width=WIDTH)
    return f"# {title}\n{body}"
