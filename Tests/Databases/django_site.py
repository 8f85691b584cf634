"""Migrates Django's own apps and those that test it, and loads their data: django_site.py TESTS DATABASE."""
import glob
import os
import random
import sys

import django
from django.conf import settings
from django.core.management import call_command

tests, database = sys.argv[1], sys.argv[2]
sys.path.insert(0, tests)
contrib = ["auth", "contenttypes", "sessions", "sites", "admin", "flatpages", "redirects", "messages"]
# Shapes of models: inheritance over tables, many-to-many with and without a model between, keys of
# text and UUIDs, keys that are foreign keys, self references, names in need of quotes, constraints.
wanted = """admin_views basic bulk_create constraints custom_columns custom_pk db_functions defer delete
    empty expressions fixtures fixtures_regress force_insert_update foreign_object generic_relations
    get_object_or_404 indexes inline_formsets intermediate_apps introspection lookup m2m_and_m2o m2m_intermediary
    m2m_multiple m2m_recursive m2m_regress m2m_through m2m_through_regress m2o_recursive many_to_many
    many_to_one many_to_one_null model_fields model_inheritance model_inheritance_regress model_options
    multiple_database nested_foreign_keys null_fk one_to_one ordering prefetch_related proxy_models
    queries raw_query reserved_names reverse_lookup select_related serializers string_lookup
    swappable_models unmanaged_models update xor_lookups""".split()


def loads(app):
    """Whether the models of an app can be imported here: some ask for libraries."""
    if not os.path.exists(os.path.join(tests, app, "models.py")) and not os.path.isdir(os.path.join(tests, app, "models")):
        return False
    return os.system(
        f"cd '{tests}' && '{sys.executable}' -c \"import django; from django.conf import settings; settings.configure("
        f"INSTALLED_APPS=['django.contrib.'+a for a in {contrib!r}]+['{app}'], SITE_ID=1,"
        "DEFAULT_AUTO_FIELD='django.db.models.AutoField', SILENCED_SYSTEM_CHECKS=['models.W042']); django.setup()\" > /dev/null 2>&1"
    ) == 0


apps = [app for app in wanted if loads(app)]
settings.configure(
    INSTALLED_APPS=["django.contrib." + name for name in contrib] + apps,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": database}},
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    SITE_ID=1,
    USE_TZ=False,
    SECRET_KEY="none",
    SILENCED_SYSTEM_CHECKS=["models.W035", "models.E028", "models.W042"],
    # A table of an app without migrations may extend one of an app that has some: none have any here.
    MIGRATION_MODULES={app: None for app in apps + contrib},
    ROOT_URLCONF="",
)
django.setup()
call_command("migrate", run_syncdb=True, verbosity=0, skip_checks=True)

from django.apps import apps as registry  # noqa: E402
from django.contrib.auth.models import Group, Permission, User  # noqa: E402
from django.core import serializers  # noqa: E402
from django.db import connection, models, transaction  # noqa: E402

loaded = 0
for app in apps:
    for path in sorted(glob.glob(os.path.join(tests, app, "fixtures", "**", "*.*"), recursive=True)):
        kind = path.rsplit(".", 1)[1]
        if kind not in ("json", "xml"):
            continue
        try:
            with transaction.atomic(), open(path) as stream:
                for item in serializers.deserialize(kind, stream):
                    item.save()
                connection.check_constraints()
            loaded += 1
        except Exception:  # Some fixtures are broken on purpose; they test that loading fails.
            continue
for number in range(30):
    user = User.objects.create_user(f"cook{number}", f"cook{number}@example.org")
    group, _ = Group.objects.get_or_create(name=f"group {number % 4}")
    user.groups.add(group)
    user.user_permissions.set(Permission.objects.order_by("?")[:5] if number % 5 == 0 else [])

# Rows for what has no data of its own: each model some objects, links to whatever is there.
random.seed(1)
for _ in range(6):
    for model in registry.get_models():
        if model._meta.proxy or not model._meta.managed or model._meta.app_label not in apps:
            continue
        values = {}
        for field in model._meta.concrete_fields:
            if isinstance(field, models.ForeignKey):
                if field.primary_key and field.remote_field.parent_link:
                    continue
                found = list(field.related_model._base_manager.order_by().values_list(field.target_field.attname, flat=True)[:40])
                if found and random.random() < 0.9:
                    values[field.attname] = random.choice(found)
            elif isinstance(field, (models.CharField, models.TextField)) and random.random() < 0.9:
                values[field.attname] = ("%x é" % random.randrange(1 << 20))[: field.max_length or 20]
            elif isinstance(field, (models.IntegerField, models.FloatField)) and not field.primary_key:
                values[field.attname] = random.randrange(100)
        try:
            with transaction.atomic():
                saved = model(**values)
                saved.save(force_insert=True)
                for field in model._meta.many_to_many:
                    if field.remote_field.through._meta.auto_created:
                        getattr(saved, field.name).set(field.related_model._base_manager.order_by("?")[:3])
                connection.check_constraints()
        except Exception:  # A model may ask for values that nobody can guess.
            continue
print(f"{len(apps)} apps, {loaded} fixtures, {len(connection.introspection.table_names())} tables", file=sys.stderr)
