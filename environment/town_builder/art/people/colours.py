"""Colours of skin, hair and eyes. Ramps have four steps: line, shade, body, light."""

from town_builder.art.palette import RAMPS, Colour, Ramp, ramp

SKINS: dict[str, Ramp] = {
    "porcelain": ramp("#8f5360", "#de9f8e", "#f8d6bc", "#ffecdd"),
    "light": ramp("#864a4c", "#d08a69", "#f3c29a", "#fddcb9"),
    "tan": ramp("#6f3c40", "#b27452", "#d99f72", "#edc096"),
    "brown": ramp("#4f2a37", "#8a5341", "#b37b52", "#cf9f70"),
    "deep": ramp("#34202f", "#5f3a3b", "#855647", "#a67660"),
}

HAIRS: dict[str, Ramp] = {
    "black": ramp("#1b1728", "#2e2842", "#4a4463", "#766f8c"),
    "brown": ramp("#2f1a2a", "#54303a", "#7d4b44", "#ab7355"),
    "chestnut": ramp("#3c1d2b", "#743a36", "#a65a3f", "#d08a57"),
    "auburn": ramp("#4a1a2e", "#8c3436", "#c4563b", "#ea8c50"),
    "blond": ramp("#7a4a33", "#b98443", "#e6b95c", "#f9e194"),
    "ash": ramp("#4b4254", "#7f7377", "#b09f92", "#d9cdb6"),
    "grey": ramp("#4a4a66", "#7a7f98", "#adb4c2", "#dce3e6"),
    "white": ramp("#77779a", "#b0b5c9", "#dfe4ea", "#fbfcfa"),
    "pink": ramp("#73305f", "#b34e86", "#e283a6", "#f9b9c2"),
    "blue": ramp("#232f5e", "#33509a", "#4b7ccc", "#86b8ea"),
    "teal": ramp("#1b4357", "#27697a", "#3b958f", "#7acaa8"),
}

EYES: dict[str, tuple[Colour, Colour]] = {
    name: (RAMPS[material][1], RAMPS[material][2])
    for name, material in {
        "brown": "wood",
        "hazel": "soil",
        "blue": "blue",
        "green": "leaf",
        "teal": "teal",
        "grey": "grey",
        "violet": "purple",
    }.items()
}
"""Dark and light half of an iris."""
