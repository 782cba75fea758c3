"""All settings of the site, in one file. What can be set from outside goes through `memsite.env`."""

from __future__ import annotations

from typing import Any

from django.templatetags.static import static

from memsite import env

ROOT = env.ROOT
DATA = env.DATA
DEBUG = env.switch("MEMSITE_DEBUG", default=False)
# Without a database there is nothing to protect: checks such as makemigrations need no secret.
SECRET_KEY = env.text("SECRET_KEY", None if env.known("DATABASE_URL") else "for checks without a database")
ENCRYPTION_KEY = env.text("MEMSITE_ENCRYPTION_KEY", "")
# The machine itself may always ask: the start waits for /readyz, and prints a link.
ALLOWED_HOSTS = [*env.words("MEMSITE_HOSTS"), "localhost", "127.0.0.1", "[::1]"]
CSRF_TRUSTED_ORIGINS = env.words("MEMSITE_ORIGINS")
SIGNUP = env.one_of("MEMSITE_SIGNUP", "closed", "open")
HTTPS = env.switch("MEMSITE_HTTPS", default=False)
# The staff's admin. The worker and beat, which serve no page, go without (`memsite.celery`).
ADMIN = env.switch("MEMSITE_ADMIN", default=True)

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "django_htmx",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "tenants",
    "memory",
    "agents",
    "evaluation",
    "memsite",
]
if ADMIN:
    # Neither looks for admin modules by itself: `memsite.operators.site` names the sections. The theme first,
    # so that its templates stand before those of Django's.
    INSTALLED_APPS[:0] = ["unfold.apps.BasicAppConfig", "django.contrib.admin.apps.SimpleAdminConfig"]

MIDDLEWARE = [
    "servestatic.middleware.ServeStaticMiddleware",
    "tenants.middleware.StreamsHoldNothing",
    "tenants.middleware.RequestOrigin",
    "memsite.security.SecurityHeaders",
    "django.middleware.security.SecurityMiddleware",
    "tenants.middleware.PagesOnlySessions",
    "memsite.security.Slashes",
    "tenants.middleware.PagesOnlyCsrf",
    "tenants.middleware.PagesOnlyAuthentication",
    "tenants.middleware.PagesOnlyMessages",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "tenants.middleware.PersonLocale",
    "memsite.errors.DomainErrors",
    "tenants.middleware.IdentityMiddleware",
]

ROOT_URLCONF = "memsite.urls"
ASGI_APPLICATION = "memsite.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ROOT / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
                "agents.web.navigation.navigation",
            ]
        },
    }
]

# Two roles, two addresses: `app` serves under row-level security, `owner` migrates. Web and worker never
# hold the second.
_POOL = {"min_size": 1, "max_size": env.number("MEMSITE_POOL", 24), "timeout": 20}
DATABASES: dict[str, dict[str, Any]] = {
    "default": env.database("DATABASE_URL")
    | {"OPTIONS": {"pool": _POOL, "prepare_threshold": 3}, "TEST": {"MIRROR": "owner"}, "CONN_MAX_AGE": 0}
    if env.known("DATABASE_URL")
    else {"ENGINE": "django.db.backends.postgresql", "NAME": "", "USER": "memsite_app"}
}
if env.known("DATABASE_OWNER_URL"):
    DATABASES["owner"] = env.database("DATABASE_OWNER_URL")
DATABASE_ROUTERS = ["tenants.router.OwnerMigrates"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "tenants.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_RESET_TIMEOUT = 24 * 3600
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "CommonPasswordValidator")
] + [{"NAME": "tenants.passwords.LongEnough"}]
ACCOUNT_ADAPTER = "tenants.accounts.AccountAdapter"
ACCOUNT_FORMS = {"login": "tenants.web.accounts.SignInForm", "signup": "tenants.web.accounts.SignUpForm"}
ACCOUNT_PASSWORD_RESET_TOKEN_GENERATOR = "tenants.passwords.ResetTokens"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_LOGOUT_ON_GET = False
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_LOGOUT_REDIRECT_URL = "account_login"
# Invitations and new passwords. Without a server they are printed where the site runs.
EMAIL_HOST = env.text("MEMSITE_EMAIL_HOST", "")
EMAIL_PORT = env.number("MEMSITE_EMAIL_PORT", 587)
EMAIL_HOST_USER = env.text("MEMSITE_EMAIL_USER", "")
EMAIL_HOST_PASSWORD = env.text("MEMSITE_EMAIL_PASSWORD", "")
EMAIL_USE_TLS = env.switch("MEMSITE_EMAIL_TLS", default=True)
EMAIL_BACKEND = env.text(
    "MEMSITE_EMAIL_BACKEND", f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'console'}.EmailBackend"
)
DEFAULT_FROM_EMAIL = env.text("MEMSITE_EMAIL_FROM", "memsite@localhost")

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("zh-hans", "简体中文")]
LOCALE_PATHS = [ROOT / "locale"]
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = DATA / "static"
STATICFILES_DIRS = [ROOT / "static"]
SERVESTATIC_USE_FINDERS = True
SERVESTATIC_AUTOREFRESH = DEBUG

SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
CSRF_FAILURE_VIEW = "memsite.errors.csrf_failure"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
X_FRAME_OPTIONS = "DENY"
DATA_UPLOAD_MAX_MEMORY_SIZE = 8 * 1024 * 1024
# A body that brings a whole chat may be longer.
IMPORT_UPLOAD_MAX_MEMORY_SIZE = 32 * 1024 * 1024

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["tenants.authentication.KeyAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["tenants.authentication.HasIdentity"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["tenants.api.bodies.StrictJSON"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "memsite.errors.problem",
    "UNAUTHENTICATED_USER": None,
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "memsite",
    "DESCRIPTION": "Agents that remember: blocks, recall, archive and chat over one API.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "POSTPROCESSING_HOOKS": ["memsite.schema.add_problems"],
    # Swagger UI would ask a third party whether the schema is valid.
    "SWAGGER_UI_SETTINGS": {"deepLinking": True, "validatorUrl": None},
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SERVE_AUTHENTICATION": [],
}

# The theme of the staff's admin, in the site's accent.
UNFOLD: dict[str, Any] = {
    "SITE_TITLE": "memsite",
    "SITE_HEADER": "memsite",
    "SITE_SYMBOL": "deployed_code",
    "SITE_FAVICONS": [
        {"rel": "icon", "type": "image/svg+xml", "href": lambda _request: static("favicon.svg")}
    ],
    "SHOW_HISTORY": True,
    "SHOW_VIEW_ON_SITE": False,
    "BORDER_RADIUS": "6px",
    "COLORS": {
        "primary": {
            "50": "#EEF1FD",
            "100": "#DEE4FB",
            "200": "#C2CDF8",
            "300": "#A5B6F8",
            "400": "#8FA8FF",
            "500": "#5C78E8",
            "600": "#3B5BDB",
            "700": "#2F4AB5",
            "800": "#273C90",
            "900": "#20316F",
            "950": "#161F45",
        }
    },
}

CELERY_BROKER_URL = env.text("CELERY_BROKER_URL", "")

# The language model that a new site starts with; without a base URL it is the built-in offline model.
FIRST_MODEL: dict[str, Any] = {
    "base_url": env.text("MEMSITE_MODEL_BASE_URL", ""),
    "api_key": env.text("MEMSITE_MODEL_API_KEY", ""),
    "name": env.text("MEMSITE_MODEL_NAME", ""),
    "window": env.number("MEMSITE_MODEL_WINDOW", 32_000),
    "tokenizer": env.text("MEMSITE_MODEL_TOKENIZER", ""),
}
# What may be set on every call of a model, see `OpenAIModel`. A local server that has to load its model first
# may need a longer timeout.
MODEL_CALLS: dict[str, Any] = {"timeout": float(env.number("MEMSITE_MODEL_TIMEOUT", 120))}
# The model that makes vectors on a new site; without a base URL it is the built-in one. Later ones are added
# with `manage.py embeddings`.
FIRST_EMBEDDING: dict[str, Any] = {
    "base_url": env.text("MEMSITE_EMBEDDING_BASE_URL", ""),
    "api_key": env.text("MEMSITE_EMBEDDING_API_KEY", ""),
    "model": env.text("MEMSITE_EMBEDDING_MODEL", ""),
    "dimensions": env.number("MEMSITE_EMBEDDING_DIMENSIONS", 1024),
}
# What may be set on every call of an endpoint for embeddings, see `EndpointEmbedder`.
EMBEDDING_CALLS: dict[str, Any] = {}
# A server that puts the best hits in a better order (`/rerank`, as Cohere and TEI have it), if there is one.
RERANK: dict[str, Any] = {
    "url": env.text("MEMSITE_RERANK_URL", ""),
    "model": env.text("MEMSITE_RERANK_MODEL", ""),
    "key": env.text("MEMSITE_RERANK_KEY", ""),
    "timeout": float(env.text("MEMSITE_RERANK_TIMEOUT", "2")),
}
# How long the offline model rests between two pieces of an answer, in seconds; tests slow it down.
OFFLINE_PAUSE = float(env.text("MEMSITE_OFFLINE_PAUSE", "0.004"))
TURN_LEASE = env.number("MEMSITE_TURN_LEASE", 15)
DOCUMENT_LEASE = env.number("MEMSITE_DOCUMENT_LEASE", 30)
TURN_STEPS = env.number("MEMSITE_TURN_STEPS", 12)

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"console": {"class": "logging.StreamHandler"}},
    # One line for each model call says nothing that the step in the database does not.
    "loggers": {name: {"level": "WARNING"} for name in ("httpx", "httpx2", "openai")},
    "root": {"handlers": ["console"], "level": env.text("MEMSITE_LOG", "INFO")},
}
# The event stream's LISTEN needs a connection of its own, past a transaction pooler.
LISTEN_URL = env.text("DATABASE_LISTEN_URL", "")
