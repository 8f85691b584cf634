internal import DecantBase
internal import DecantStore
internal import DecantSQLite

/// The numbers of a store's entities: `Z_ENT`.
struct EntityNumbers {
  let byName: [String: Int64]

  /// The first number reserved by Core Data, for history and CloudKit.
  static let firstPrivate: Int64 = 16_000

  /// Matches the rows of `Z_PRIMARYKEY` with the entities of `model`.
  ///
  /// Rows are matched by name; a row with a stale name, as a renaming migration leaves it, by the entity's renaming
  /// identifier, or else by its position in the numbering.
  init(_ entries: [Bookkeeping.Entry], model: Model, place: String) throws(DecantError) {
    let own = entries.filter { $0.number < EntityNumbers.firstPrivate }
    let known = Dictionary(own.map { ($0.name, $0.number) }) { first, _ in first }
    var byName: [String: Int64] = [:]
    for entity in model.entities { byName[entity.name] = known[entity.name] }
    var free = Set(own.map(\.number)).subtracting(byName.values)
    for (position, entity) in model.entities.enumerated() where byName[entity.name] == nil {
      let renamed = entity.renamingIdentifier.flatMap { known[$0] }
      let candidates = [renamed, Int64(position + 1)].compactMap(\.self)
      guard let number = candidates.first(where: { free.contains($0) }) else {
        throw DecantError(
          .modelsDiffer,
          "the model has an entity \(entity.name) that is not in “\(place)”",
          place: "table Z_PRIMARYKEY",
          remedy: "pass the version of the model that the store was created with: \(say: .model)"
        )
      }
      byName[entity.name] = number
      free.remove(number)
    }
    guard free.isEmpty else {
      let names = own.filter { free.contains($0.number) }.map(\.name)
      throw DecantError(
        .modelsDiffer,
        "“\(place)” has entities that are not in the model: \(names.joined(separator: ", "))",
        place: "table Z_PRIMARYKEY",
        remedy: "pass the version of the model that the store was created with: \(say: .model)"
      )
    }
    guard Set(byName.values).count == byName.count else {
      throw DecantError(
        .damaged,
        "two entities of “\(place)” have the same number",
        place: "table Z_PRIMARYKEY",
        remedy: "the file is damaged: restore it from a backup"
      )
    }
    self.byName = byName
  }
}

extension DatabaseFile {
  /// Throws if the database is damaged; called if a store does not match its own model.
  ///
  /// A table that has lost pages appears shorter, without an error. Naming another model would be no remedy for that.
  func requireSoundBooks(_ place: String) throws(DecantError) {
    let connection: Connection
    do throws(SQLiteError) {
      connection = try Connection(uri, mode: .readOnly)
      connection.setBusyTimeout(milliseconds: 5_000)
    } catch {
      throw DecantError(opening: place, error)
    }
    try StructureCheck(of: "main", on: connection).run(.quick, place: place)
  }
}
