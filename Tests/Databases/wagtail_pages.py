from django.core.files.base import ContentFile
from django.contrib.auth.models import User
from home.models import HomePage
from wagtail.models import Collection, Page, Site
from wagtail.documents.models import Document

home = HomePage.objects.first()
owner = User.objects.create_superuser("cook", "cook@example.org", "secret")
for number in range(20):
    page = home.add_child(instance=HomePage(title=f"Page {number} é", slug=f"page-{number}", owner=owner))
    page.title += " revised"
    page.save_revision(user=owner).publish()
    if number % 3 == 0:
        page.add_child(instance=HomePage(title=f"Below {number}", slug=f"below-{number}"))
root = Collection.get_first_root_node()
for name in ("Soups", "Cakes"):
    collection = root.add_child(name=name)
    document = Document(title=name, collection=collection, uploaded_by_user=owner)
    document.file.save(name + ".txt", ContentFile(b"text of " + name.encode()))
    document.tags.add("sweet", "new " + name)
