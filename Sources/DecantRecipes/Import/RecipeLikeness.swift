internal import DecantPlan
internal import DecantSQLite

/// Defines when a recipe that was read is one that a store has: by its own ID in its format, by its page, or by its
/// content; a title alone is not sufficient.
///
/// Complete equality, including notes and pictures, comes first: a recipe that was kept beside another one is found
/// again although the other has the ID and the page.
enum RecipeLikeness {
  /// The columns of a recipe besides ingredients and steps.
  static let values = ["summary", "notes", "rating", "yield", "prepTime", "cookTime", "totalTime"]

  /// Makes the ways for recipes of a plain database, or of one that is read as objects of a Core Data model, where
  /// `recipe_id` is called `recipe`.
  ///
  /// Recipes with the identifiers `beside` match only by these, whatever else they share with others.
  static func make(isPlain: Bool, beside: [String] = []) -> Likeness {
    let link = isPlain ? "recipe_id" : "recipe"
    let pictures =
      "SELECT group_concat(sha256) FROM (SELECT sha256 FROM Image WHERE \(link) = r._id ORDER BY sha256)"
    let whole = "r.format, r.fingerprint, r.\(values.joined(separator: ", r.")), (\(pictures))"
    // Without ingredients and steps, a fingerprint identifies no more than a title.
    let ofLines = """
      FROM Recipe AS r WHERE EXISTS (SELECT 1 FROM Ingredient WHERE \(link) = r._id AND NOT isHeading)
        OR EXISTS (SELECT 1 FROM Step WHERE \(link) = r._id AND NOT isHeading)
      """
    let list = beside.map(\.sqlText).joined(separator: ", ")
    let ofThese = Likeness.Way("identifier", "SELECT _id, uuid FROM Recipe WHERE uuid IN (\(list))")
    var likeness = Likeness(
      of: "Recipe",
      (beside.isEmpty ? [] : [ofThese]) + [
        .init(
          "own ID",
          "SELECT r._id, json_array(n.value, \(whole)) FROM NativeID AS n JOIN Recipe AS r "
            + "ON r._id = n.\(link) AND r.format = n.format"
        ),
        .init("identifier", "SELECT _id, json_array(uuid, fingerprint) FROM Recipe"),
        .init("content", "SELECT _id, json_array(\(whole)) FROM Recipe AS r"),
        .init("own ID", "SELECT \(link), json_array(format, value) FROM NativeID"),
        // In files that decant wrote itself, the ID is the recipe's identifier in its store.
        .init("identifier", "SELECT \(link), value FROM NativeID", of: "SELECT _id, uuid FROM Recipe"),
        // A page may hold several recipes, distinguished by their titles.
        .init("page", "SELECT _id, json_array(page, recipe_letters(title)) FROM Recipe WHERE page IS NOT NULL"),
        .init(
          "page", "SELECT min(_id), page FROM Recipe WHERE page IS NOT NULL GROUP BY page HAVING count(*) = 1",
          unless: areTwo("pair.source", "pair.destination", link, key: "_id", there: "there_")),
        // The current content, then the content at the time of import: the recipe may have been edited since.
        .init(
          "content",
          "SELECT _id, fingerprint \(ofLines)",
          of: "SELECT _id, \(RecipeContentFunction.expression(key: "_id", link: link)) \(ofLines)"
        ),
        .init("content", "SELECT _id, fingerprint \(ofLines)"),
        .init("identifier", "SELECT _id, uuid FROM Recipe"),
      ]
    ) { connection throws(SQLiteError) in
      try RecipeTextFunction.register(on: connection)
    }
    likeness.attributes = [
      "Recipe": ["uuid", "title", "page", "format", "fingerprint", "extra"] + values,
      "Ingredient": ["text", "isHeading"], "Step": ["text", "isHeading"], "Image": ["sha256"],
      "NativeID": ["format", "value"],
    ]
    likeness.nothingNew = nothingNew(link)
    likeness.kept = ["uuid"]
    likeness.marks = ["NativeID"]
    likeness.names = ["Category", "Source", "Tag"]
    likeness.title = "title"
    return likeness
  }

  /// Two recipes of one page with different titles are two if they have different IDs of one app, or fewer than half of
  /// the lines of the shorter one in common.
  ///
  /// - Parameters:
  ///   - first: An expression for the key of one recipe.
  ///   - second: An expression for the key of the other one.
  ///   - link: The column of a part that holds its recipe's key.
  ///   - key: The column of a recipe that holds its key.
  ///   - there: The prefix of the tables of the other one.
  /// - Returns: This condition.
  static func areTwo(_ first: String, _ second: String, _ link: String, key: String = "id", there: String = "")
    -> String
  {
    func lines(_ prefix: String, of recipe: String) -> String {
      [("Ingredient", "'i' || recipe_line"), ("Step", "'s' || recipe_step")].map { table, line in
        "SELECT \(line)(text) AS line FROM \(prefix)\(table) WHERE \(link) = \(recipe) AND NOT isHeading"
      }.joined(separator: " UNION ")
    }
    let (mine, others) = (lines("", of: first), lines(there, of: second))
    let counts = [mine, others].map { "(SELECT count(*) FROM (\($0)))" }
    return """
      (EXISTS (SELECT 1 FROM NativeID AS a JOIN \(there)NativeID AS b ON b.format = a.format AND b.value <> a.value
          WHERE a.\(link) = \(first) AND b.\(link) = \(second))
        OR EXISTS (SELECT 1 FROM Recipe AS a JOIN \(there)Recipe AS b ON b.format = a.format
          WHERE a.\(key) = \(first) AND b.\(key) = \(second) AND \(localID("a.extra")) <> \(localID("b.extra")))
        OR (SELECT count(*) FROM (\(mine)) WHERE line IN (\(others))) * 2 < max(1, min(\(counts.joined(separator: ", ")))))
      """
  }

  /// An expression for the ID that a recipe has in its app or on its site alone: two recipes of one format with
  /// different ones are two, but equal ones say nothing.
  static func localID(_ extra: String) -> String { "iif(json_valid(\(extra)), json_extract(\(extra), '$.id'), NULL)" }

  /// Returns the statement that finds recipes without any new information.
  ///
  /// Another format may lack a field or round a picture: then only values that the store lacks entirely are new. In the
  /// same format, it finds a recipe that was kept beside another one, and whose title alone differs.
  private static func nothingNew(_ link: String) -> String {
    let hasNoMore = values.map { "(n.\($0) IS NULL OR k.\($0) IS NOT NULL)" }
    func lines(_ table: String, _ function: String, of recipe: String) -> String {
      "(SELECT group_concat(\(function)(text), char(10)) FROM (SELECT text FROM \(table) "
        + "WHERE \(link) = \(recipe) AND NOT isHeading ORDER BY recipe_position, _id))"
    }
    let isSame = [("Ingredient", "recipe_line"), ("Step", "recipe_step")].map { table, function in
      "\(lines(table, function, of: "n._id")) IS \(lines("there_" + table, function, of: "k._id"))"
    }
    func pictures(_ table: String, of recipe: String) -> String {
      "(SELECT group_concat(sha256) FROM (SELECT sha256 FROM \(table) WHERE \(link) = \(recipe) ORDER BY sha256))"
    }
    let hasAll = values.map { "n.\($0) IS k.\($0)" }
    let (here, there) = (pictures("Image", of: "n._id"), pictures("there_Image", of: "k._id"))
    return """
      SELECT p.source FROM pairs AS p JOIN Recipe AS n ON n._id = p.source
      JOIN there_Recipe AS k ON k._id = p.destination
      WHERE (n.fingerprint = k.fingerprint OR recipe_letters(n.title) = recipe_letters(k.title))
        AND (n.format <> k.format AND \(hasNoMore.joined(separator: " AND "))
          AND (\(here) IS NULL OR \(there) IS NOT NULL)
        OR n.format = k.format AND \(hasAll.joined(separator: " AND ")) AND \(here) IS \(there)
          AND substr(k.title, 1, length(n.title) + 2) = n.title || ' (' AND substr(k.title, -1) = ')')
        AND \(isSame.joined(separator: " AND "))
      """
  }
}
