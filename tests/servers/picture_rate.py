"""How often a page draws its pictures: without a graphics card, sixty a second take a processor, also when all rest."""

EIGHT_A_SECOND = """
window.everyFrame = window.requestAnimationFrame;
window.requestAnimationFrame = (show) => setTimeout(() => show(performance.now()), 120);
window.cancelAnimationFrame = clearTimeout;
"""
"""A script for the beginning of a page: it shows the same, in fewer pictures, and leaves the processor to the engine.
The frames of the browser are counted by `everyFrame`.
"""
