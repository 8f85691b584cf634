"""Makes a collection with Anki's own library: anki_collection.py FILE [older]."""
import sys

from anki.collection import Collection

collection = Collection(sys.argv[1])
decks = [collection.decks.id(name) for name in ("Français", "Français::verbes", "日本語")]
for index, kind in enumerate(collection.models.all_names_and_ids()):
    model = collection.models.get(kind.id)
    for number in range(25):
        note = collection.new_note(model)
        for field in range(len(note.fields)):
            note.fields[field] = f"{kind.name} {number} é {field}" + ("{{c1::gap}}" if "Cloze" in kind.name else "")
        note.tags = [f"tag{number % 3}", "Étiquette", "a::b::c"]
        try:
            collection.add_note(note, decks[(index + number) % 3])
        except Exception as error:  # Some kinds of notes cannot be made without an image.
            print(kind.name, error, file=sys.stderr)
            break
collection.decks.add_config("Intense")
for deck in decks:
    collection.decks.select(deck)
    for _ in range(7):
        card = collection.sched.getCard()
        if card:
            collection.sched.answerCard(card, 3)
collection.remove_notes([collection.find_notes("")[0]])
collection.close(downgrade="older" in sys.argv)
