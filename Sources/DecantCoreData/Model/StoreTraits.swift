internal import DecantBase
internal import DecantStore

/// The traits of a store that identify the version of its model.
package struct StoreTraits {
  /// The version hashes in the store; empty if there are none.
  let versionHashes: [String: [UInt8]]
  /// The mark that identifies a version without hashes; `nil` if there is none.
  var mark: String?
  let entries: [Bookkeeping.Entry]
  let columns: [String: [String]]
  let place: String

  /// How well a model matches the tables.
  enum Fit: Int {
    /// A table or column is missing; all exist, and others too; all exist, and no others.
    case none, loose, whole
  }

  func fit(of model: Model) -> Fit {
    // A mismatch is a result here, not an error.
    guard let numbers = try? EntityNumbers(entries, model: model, place: place).byName,
      let layout = try? CoreDataLayout(model: model, numbers: numbers, columns: columns, place: place).layout()
    else { return .none }
    let tables = Set(layout.relations.map(\.table) + layout.linkRelations.map(\.table))
    let others = columns.keys.filter { table in
      table.hasPrefix("Z") && !table.hasPrefix("Z_RT_") && !CoreDataFile.books.contains(table)
        && !tables.contains(table)
    }
    let unnamed = layout.relations.flatMap(\.columns).contains { column in
      if case .unnamed = column.columnRole { true } else { false }
    }
    return others.isEmpty && !unnamed ? .whole : .loose
  }
}
