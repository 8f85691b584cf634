internal import DecantBase
internal import DecantStore

/// What a store shows of the model it was made from, by which the version can be told.
package struct StoreTraits {
  /// The bytes by which the store recognises its entities; none where it does not say.
  let versionHashes: [String: [UInt8]]
  /// By what decant knows a version again that has no hashes; `nil` where the store does not say.
  var mark: String?
  let entries: [Bookkeeping.Entry]
  let columns: [String: [String]]
  let place: String

  /// How well a model explains the tables.
  enum Fit: Int {
    /// A table or column is missing, all are there and others too, or all are there and no others.
    case none, loose, whole
  }

  func fit(of model: Model) -> Fit {
    // That the model does not explain the tables is the answer, not a failure.
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
