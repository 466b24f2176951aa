"""The Django project: settings, routes and the WSGI door."""
