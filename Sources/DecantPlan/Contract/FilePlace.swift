package import DecantBase
package import DecantStore

/// The places of stores that are files.
package enum FilePlace {
  /// Refuses the names by which SQLite knows databases that are no files, and URIs of files.
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

  /// Refuses to make a database where the name asks for something else.
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

  /// Refuses a destination that is the source.
  package static func checkIsOther(_ path: String, _ source: any SourceStore) throws(DecantError) {
    guard let sourcePath = source.path, FileStatus(sourcePath)?.isSame(as: path) == true else {
      return
    }
    throw DecantError(.sameFile, "“\(path)” is the source itself", remedy: "use another destination")
  }

  /// Refuses options that say how a store is made, where one is there.
  package static func checkIsNotMade(_ path: String, _ options: CopyOptions) throws(DecantError) {
    guard options.template != nil || options.isUnversioned else { return }
    throw DecantError(
      .alreadyExists,
      "“\(path)” already exists: \(option: .template) and \(option: .unversioned) apply only to a new store",
      remedy: "name a new store, or remove these options"
    )
  }
}
