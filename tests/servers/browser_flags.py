"""Flags for a browser that nobody looks at."""

UNSEEN = ("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup", "SpareRendererForSitePerProcess")
"""Features of windows: pages below the line for addresses, and a process for what may be opened next. In each context
they take more processor time than the front page.
"""
UNWANTED = (
    "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades", "LensOverlay",
    "HttpsFirstBalancedModeAutoEnable", "MediaRouter", "PaintHolding", "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints", "NetworkTimeServiceQuerying", "PreconnectToSearch",
)  # fmt: skip
"""Features that Playwright turns off: the last list counts, which is ours."""
FLAGS = (f"--disable-features={','.join((*UNSEEN, *UNWANTED))}",)
