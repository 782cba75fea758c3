"""The site's own settings, with what would only slow tests down made fast."""

from memsite import env
from memsite.settings import *  # noqa: F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
OFFLINE_PAUSE = float(env.text("MEMSITE_OFFLINE_PAUSE", "0"))
