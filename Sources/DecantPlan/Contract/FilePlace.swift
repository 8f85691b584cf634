package import DecantBase
package import DecantStore

/// Checks of the places of stores that are files.
package enum FilePlace {
  /// Throws for SQLite's names of databases that are not files, and for URIs of files.
  package static func check(_ location: StoreLocation) throws(DecantError) {
    let place = location.place
    let isMemory = place == ":memory:" || place.hasPrefix("file:") && place.contains("memory")
    guard isMemory || place.hasPrefix("file:"), FileStatus(place) == nil else { return }
    throw DecantError(
      .invalidPlace,
      isMemory
        ? "“\(place)” is an in-memory database: it would be lost when decant exits"
        : "“\(place)” is a URI, but a store is given by its path",
      remedy: "use a file name, as in NAME.sqlite; for a file with "
        + "that name write \("./\(place)".shellWord)"
    )
  }

  /// Throws for a new database whose name asks for another kind of file.
  package static func checkNew(_ location: StoreLocation) throws(DecantError) {
    let others = [
      "decant", "gz", "zst", "xz", "lz4", "zip", "html", "eml", "json", "csv", "paprikarecipes",
      "melarecipe", "melarecipes", "cook", "sql",
    ]
    let name = Files.name(of: location.place)
    guard location.kind == nil, let dot = name.lastIndex(of: "."),
      others.contains(name[name.index(after: dot)...].lowercased())
    else { return }
    throw DecantError(
      .unsupportedKind,
      "“\(name)” is not a database file name, and decant writes only databases there",
      remedy: "use a name that ends in .sqlite, or write \("sqlite:\(location.place)".shellWord)"
    )
  }

  /// Throws if the destination is the source.
  package static func checkIsOther(_ path: String, _ source: any SourceStore) throws(DecantError) {
    guard let sourcePath = source.path, FileStatus(sourcePath)?.isSame(as: path) == true else {
      return
    }
    throw DecantError(.sameFile, "“\(path)” is the source itself", remedy: "use another destination")
  }

  /// Throws for options of a new store if the store exists.
  package static func checkIsNotMade(_ path: String, _ options: CopyOptions) throws(DecantError) {
    guard options.template != nil || options.isUnversioned else { return }
    throw DecantError(
      .alreadyExists,
      "“\(path)” already exists: \(option: .template) and \(option: .unversioned) apply only to a new store",
      remedy: "name a new store, or remove these options"
    )
  }
}
