internal import Decant

/// Archives as stores to read; they are written by an export.
extension StoreKinds {
  /// Whether `location` is an archive: by its kind where that was said, else by what is in it.
  static func isArchive(_ location: StoreLocation) throws(DecantError) -> Bool {
    if let kind = location.kind { return kind == archive }
    return ArchiveStream.isArchive(location.place)
  }

  /// Why an archive that is there cannot be written to.
  static func archiveAsDestination(_ location: StoreLocation) -> DecantError {
    DecantError(
      .usage,
      FileStatus(location.place) == nil
        ? "“\(location.place)” cannot be made by a copy that merges or appends"
        : "“\(location.place)” is an archive: nothing can be added to it",
      remedy: "import it into a store, add to that, and export it: decant help import"
    )
  }
}
