internal import DecantSQLite

/// A recipe as it was in a file, for comparison with a later version of the file.
///
/// Its content is a JSON document of all columns of the recipe and its parts, except the bytes of pictures. The places
/// of the parts are stored separately: they depend on earlier versions, so equal files have equal contents.
struct RecipeVersion {
  /// The `uuid` of the recipe in the store that this version was imported into.
  let recipe: String
  var content: String
  /// A JSON object with an array of places for each table of parts.
  var places: String
  /// The SHA-256 of the document that it was read from; `nil` if unknown.
  var digest: String?
  /// Its earlier origin, if it was found by another one.
  var former: String?

  /// The tables of the parts that are ordered in their recipe.
  static let listed: [RecipeTable] = [.ingredient, .step, .image, .nutrition]

  /// The columns of a recipe that its file determines.
  static let recipeColumns = RecipeTable.recipe.columns.filter { $0.name != "uuid" }

  /// Returns the columns of a table that a version contains: all except the bytes of pictures.
  static func columns(of table: RecipeTable) -> [RecipeColumn] {
    table.columns.filter { $0.kind != .bytes }
  }

  // MARK: From the tables

  /// An expression for the content of the recipe `r`.
  static var contentExpression: String {
    let parts = (listed + [.nativeID]).map { table in
      let order = table.name == RecipeTable.nativeID.name ? "format, value" : "recipe_position, id"
      return "'\(table.name)', json((SELECT json_group_array(json(part)) FROM (SELECT \(object(table)) AS part "
        + "FROM main.\(table.name) AS p WHERE p.recipe_id = r.id ORDER BY \(order))))"
    }
    let names = RecipeSchema.namedTables.map { table, links in
      "'\(table)', json((SELECT json_group_array(name) FROM (SELECT n.name FROM main.\(links) AS l "
        + "JOIN main.\(table) AS n ON n.id = l.\(table)_id WHERE l.Recipe_id = r.id ORDER BY n.name)))"
    }
    let own = recipeColumns.map { "'\($0.name)', \(value($0, of: "r"))" }
    let source = "'Source', (SELECT name FROM main.Source WHERE id = r.source_id)"
    return "json_object('Recipe', json_object(\(own.joined(separator: ", "))), "
      + "\(([source] + parts + names).joined(separator: ", ")))"
  }

  /// An expression for the places of the parts of the recipe `r`.
  static var placesExpression: String {
    let lists = listed.map { table in
      "'\(table.name)', json((SELECT json_group_array(recipe_position) FROM (SELECT recipe_position "
        + "FROM main.\(table.name) WHERE recipe_id = r.id ORDER BY recipe_position, id)))"
    }
    return "json_object(\(lists.joined(separator: ", ")))"
  }

  private static func object(_ table: RecipeTable) -> String {
    var members = columns(of: table).map { "'\($0.name)', \(value($0, of: "p"))" }
    if table.name == RecipeTable.image.name {
      // A picture refers to its step by the step's number in the recipe.
      members.append(
        "'step', CASE WHEN p.step_id IS NOT NULL THEN (SELECT count(*) FROM main.Step AS o, main.Step AS s "
          + "WHERE s.id = p.step_id AND o.recipe_id = s.recipe_id "
          + "AND (o.recipe_position, o.id) < (s.recipe_position, s.id)) END"
      )
    }
    return "json_object(\(members.joined(separator: ", ")))"
  }

  /// Returns a value in a form that JSON preserves: a number with all 17 digits.
  private static func value(_ column: RecipeColumn, of table: String) -> String {
    guard column.kind == .number else { return "\(table).\(column.name)" }
    return "printf('%!.17g', \(table).\(column.name) + 0.0)"
      .nullWhere("\(table).\(column.name) IS NULL")
  }

  // MARK: Back into tables

  /// The statements that make a recipe from a version: `?1` is its key, `?2` its `uuid`, `?3` the content, `?4` the
  /// places, `?5` the store's fingerprint, which never counts as the cook's own change.
  static var insertions: [String] {
    func names(_ columns: [RecipeColumn]) -> String { columns.map(\.name).joined(separator: ", ") }
    func values(_ columns: [RecipeColumn], _ document: String, _ path: String) -> String {
      columns.map { "json_extract(\(document), '\(path).\($0.name)')" }.joined(separator: ", ")
    }
    var statements = [
      "INSERT OR IGNORE INTO Source (name) SELECT json_extract(?3, '$.Source') WHERE json_extract(?3, '$.Source') IS NOT NULL",
      """
      INSERT INTO Recipe (id, uuid, source_id, \(names(recipeColumns))) SELECT ?1, ?2,
        (SELECT id FROM Source WHERE name = json_extract(?3, '$.Source')), \(values(recipeColumns, "?3", "$.Recipe"))
      """,
      "UPDATE Recipe SET fingerprint = ?5 WHERE id = ?1",
    ]
    for table in listed where table.name != RecipeTable.image.name {
      let columns = columns(of: table)
      statements.append(
        """
        INSERT INTO \(table.name) (recipe_id, recipe_position, \(names(columns)))
        SELECT ?1, json_extract(?4, '$.\(table.name)[' || key || ']'), \(values(columns, "value", "$"))
        FROM json_each(?3, '$.\(table.name)') ORDER BY key
        """
      )
    }
    let ids = columns(of: .nativeID)
    statements.append(
      """
      INSERT OR IGNORE INTO NativeID (recipe_id, \(names(ids)))
      SELECT ?1, \(values(ids, "value", "$")) FROM json_each(?3, '$.NativeID')
      """
    )
    for (table, links) in RecipeSchema.namedTables {
      statements.append("INSERT OR IGNORE INTO \(table) (name) SELECT value FROM json_each(?3, '$.\(table)')")
      statements.append(
        """
        INSERT OR IGNORE INTO \(links) (Recipe_id, \(table)_id)
        SELECT ?1, n.id FROM json_each(?3, '$.\(table)') AS v JOIN \(table) AS n ON n.name = v.value
        """
      )
    }
    return statements
  }

  /// A statement that adds a picture of a version: `?1` is the recipe's key, `?3` the content, `?4` the places, `?5`
  /// the index of the picture, `?6` its bytes.
  static var imageInsertion: String {
    let columns = columns(of: .image)
    let place = "json_extract(?4, '$.Step[' || json_extract(i.value, '$.step') || ']')"
    return """
      INSERT INTO Image (recipe_id, recipe_position, step_id, data, \(columns.map(\.name).joined(separator: ", ")))
      SELECT ?1, json_extract(?4, '$.Image[' || i.key || ']'),
        (SELECT id FROM Step WHERE recipe_id = ?1 AND recipe_position = \(place)), ?6,
        \(columns.map { "json_extract(i.value, '$.\($0.name)')" }.joined(separator: ", "))
      FROM json_each(?3, '$.Image') AS i WHERE i.key = ?5
      """
  }
}

extension String {
  /// Returns the expression, or NULL if `condition` holds.
  fileprivate func nullWhere(_ condition: String) -> String { "CASE WHEN \(condition) THEN NULL ELSE \(self) END" }
}
