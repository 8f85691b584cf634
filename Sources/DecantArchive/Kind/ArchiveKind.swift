internal import DecantPlain
internal import DecantCoreData
package import DecantBase
package import DecantPlan
package import DecantStore

/// The kind of archives: lines that hold a store, compressed or not; they are read here and written by exports.
package struct ArchiveKind: StoreKind {
  package init() {
  }
  package static let name = "archive"
  /// The kinds of databases that an archive can contain.
  package static let databases: [any DatabaseKind] = [CoreDataKind(), PlainKind()]

  /// Returns the database kind of that name, or `nil` if there is none.
  static func database(named name: String) -> (any DatabaseKind)? {
    databases.first { $0.name == name || $0.spellings.contains(name) }
  }

  package var name: String { ArchiveKind.name }
  package var abilities: StoreAbilities { [.isMade] }
  package var lines: [StoreKindLine] {
    [StoreKindLine(name, "JSON lines, compressed or not, also inside pages and mail", abilities)]
  }

  package func check(_ location: StoreLocation) throws(DecantError) {
    try FilePlace.check(location)
  }

  package func recognises(_ place: String) throws(DecantError) -> Bool {
    ArchiveStream.isArchive(place)
  }

  /// Returns the model from the header, without reading the objects.
  package func model(of location: StoreLocation, options: CopyOptions) throws(DecantError) -> Model? {
    let header = try ArchiveParts.header(of: location.place)
    guard header.hasModel else { return nil }
    guard let model = header.ownModel else {
      throw DecantError(
        .modelMissing,
        "the store in “\(location.place)” did not contain its model",
        remedy: "export it again with \(say: .model) App.momd"
      )
    }
    return model
  }

  package func openSource(_ location: StoreLocation, facing other: FacingStore?, options: CopyOptions)
    throws(DecantError) -> any SourceStore
  {
    let archive = try StagedArchive.read([location.place])
    guard options.mapping == nil, let other else { return try archive.source(options: options) }
    return try archive.source(facing: other, options: options)
  }

  package func openDestination(_ location: StoreLocation, like source: any SourceStore, options: CopyOptions)
    throws(DecantError) -> any DestinationStore
  {
    throw DecantError(
      .unsupportedKind,
      exists(location)
        ? "“\(location.place)” is an archive: objects cannot be added to it"
        : "“\(location.place)” would be an archive: only export writes archives",
      remedy: exists(location)
        ? "import it into a store, add the objects to the store, then export it: \(command: "help import", app: "an import reads archives")"
        : "\(command: "export \(source.identity.place.shellWord) \(location.place.shellWord)", app: "export “\(source.identity.place)” to it")"
    )
  }
}
