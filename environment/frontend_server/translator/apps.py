from django.apps import AppConfig


class Translator(AppConfig):
    name = "translator"
    verbose_name = "The stage"

    def ready(self) -> None:
        from translator import checks  # noqa: F401, PLC0415 - it registers itself, once Django is there
