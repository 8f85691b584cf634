package import DecantBase
package import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// Notes and ratings that a cook has written in recipes and not for other people.
package struct PrivateValues {
  /// An attribute that holds private values.
  package struct Column {
    /// Its name for a reader, in lower case: `notes`.
    package let label: String
    /// Whether it may be empty.
    package let isOptional: Bool
    fileprivate let relation: Relation
    fileprivate let name: String
  }

  /// The attributes, without duplicates.
  package let columns: [Column]

  private static let notes: Set<String> = [
    "note", "notes", "mynotes", "ownnotes", "personalnotes", "privatenotes", "usernotes", "notiz", "notizen",
  ]
  private static let ratings: Set<String> = ["rating", "myrating", "ownrating", "userrating", "stars", "bewertung"]

  /// Looks for such attributes in the entities of `source` that are recipes.
  package init(of source: any SourceStore) {
    let pages = PageModel(model: source.model, layout: source.layout, schema: "main")
    var columns: [Column] = []
    for (place, relation) in source.layout.relations.enumerated() where relation.keyColumn != nil {
      var taken: Set<Int> = []
      for shape in pages.shapes(in: place) where shape.recipe != nil {
        for (position, name) in shape.names.sorted(by: { $0.key < $1.key }) {
          let isText = shape.types[position] == .string
          guard name.isOne(of: isText ? Self.notes : Self.ratings), taken.insert(position).inserted,
            case .attribute(let property) = relation.columns[position].columnRole
          else { continue }
          let attribute = source.model.attributes(of: property.entity).first { $0.name == property.name }
          columns.append(
            Column(
              label: name.label.lowercased(),
              isOptional: attribute?.isOptional ?? false,
              relation: relation,
              name: relation.columns[position].name
            )
          )
        }
      }
    }
    self.columns = columns
  }

  /// Clears them in the store at `path`, an exclusive copy with the same structure as the one they were found in.
  ///
  /// - Returns: The cleared values, with the number of recipes: `notes of 2 recipes`. Required values are not cleared.
  package func clear(at path: String) throws(DecantError) -> [String] {
    try explaining("cannot leave out notes and ratings") { () throws(SQLiteError) in
      let connection = try Connection(path, mode: .readWrite)
      try connection.setTriggersEnabled(false)
      var cleared: [String] = []
      for column in columns where column.isOptional {
        let name = column.name.sqlName
        try connection.run(
          "UPDATE \(column.relation.sqlTable(in: "main")) SET \(name) = NULL WHERE \(name) IS NOT NULL AND \(name) <> ''"
        )
        let count = Int64(connection.changeCount)
        if count > 0 { cleared.append("\(column.label) of \(count.counted("recipe"))") }
      }
      return cleared
    }
  }
}
