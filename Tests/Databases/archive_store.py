"""Holds an archive against the store that it was made of."""
import archive_coredata
import archive_plain


def opened(path, reader, tell):
    """What compares, by the kind of store that the header names."""
    kind = reader.header["source"]["kind"]
    if kind == "coredata":
        return archive_coredata.CoreData(path, reader, tell)
    return archive_plain.Plain(path, reader, tell)
