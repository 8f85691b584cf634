"""Makes a library of music with beets' own code: beets_library.py FILE."""
import sys

from beets.library import Item, Library

library = Library(sys.argv[1], "/music")
for number in range(12):
    items = [
        Item(
            title=f"Sång {track}", artist="Artist é", album=f"Album {number}", track=track, year=1990 + number,
            path=f"/music/{number}/{track}.mp3".encode(), length=100.5 + track, mood=f"mood {track}",
        )
        for track in range(1, 6)
    ]
    album = library.add_album(items)
    album["shelf"] = f"shelf {number % 3}"
    album.store()
library.items("title:'Sång 3'").get().remove()
