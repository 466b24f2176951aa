from django.apps import AppConfig


class Translator(AppConfig):
    name = "translator"
    verbose_name = "Pages"

    def ready(self) -> None:
        from translator import checks  # noqa: F401, PLC0415 - registers the checks once Django is set up
