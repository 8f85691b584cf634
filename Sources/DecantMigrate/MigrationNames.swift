internal import DecantBase
internal import DecantMatch
internal import DecantStore

/// The paths that a migration uses, each for one purpose.
struct MigrationNames {
  private let migration: Migrate

  init(_ migration: Migrate) { self.migration = migration }

  /// Throws if one place is given for two purposes, or the ID table has a name that the migration itself uses.
  ///
  /// - Throws: `DecantError` of the family `.usage`; no file was opened.
  func check() throws(DecantError) {
    if let seed = migration.seed?.place { try check(seed) }
    if let file = migration.idTableFile { try check(IDTableFile(file)) }
  }

  /// Throws if the seed is also a store that is migrated, or moved and then removed.
  private func check(_ seed: String) throws(DecantError) {
    if let store = migration.candidates.first(where: { Files.isSamePlace($0.place, seed) }) {
      throw DecantError(
        .sameFile,
        "“\(store.place)” is the seed and also one of the stores to migrate",
        place: "\(option: .else, seed)",
        remedy: "remove it from the stores: a seed is copied, never changed or removed"
      )
    }
    guard let place = migration.place, Files.isSamePlace(place, seed) else { return }
    throw DecantError(
      .sameFile,
      "“\(place)” is the seed and also the destination of the store",
      place: "\(option: .place, place) \(option: .else, seed)",
      remedy: "use another destination: a seed is copied, never changed or removed"
    )
  }

  /// Throws if the ID table would overwrite a file of a store, existing or future.
  private func check(_ table: IDTableFile) throws(DecantError) {
    let places =
      migration.candidates.map(\.place)
      + [migration.place, migration.output, migration.seed?.place].compactMap(\.self)
    // The companion files of a store are next to the file itself, not next to a link to it.
    let stores = places + places.map { Files.resolved($0) }
    for file in [table.path, table.partial] {
      guard let store = stores.first(where: { isUsed(file, by: $0) }) else { continue }
      throw DecantError(
        .sameFile,
        "the migration itself uses the name “\(table.path)”, for “\(store)” or a file next to it",
        place: "\(option: .keepIDs)",
        remedy: "give the ID table a different name"
      )
    }
  }

  /// Returns whether `file` is the store or has the name of one of its companion files, which need not exist.
  private func isUsed(_ file: String, by store: String) -> Bool {
    var folders = [WorkFolder.path(of: store)]
    if let files = migration.opener.externalFolder(of: store) {
      folders.append(Files.folder(of: files))
    }
    let names = MigrationNames.endings.map { store + $0 } + folders
    return names.contains { Files.isSamePlace($0, file) }
      || folders.contains { lies(file, in: $0) } || Backups(of: store).mayName(file)
  }

  private func lies(_ file: String, in folder: String) -> Bool {
    var above = Files.resolved(Files.folder(of: file))
    while !Files.isSamePlace(above, folder) {
      let next = Files.folder(of: above)
      guard next != above else { return false }
      above = next
    }
    return true
  }

  private static let endings =
    [""] + Backups.companions + [Files.exchangeEnding, ".decant-removed", ".decant-partial"]
    + Backups.companions.map { ".decant-partial" + $0 }
}
