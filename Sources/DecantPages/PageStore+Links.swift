internal import DecantBase
internal import DecantStore
internal import DecantSQLite

/// The targets of one edge from one object, in order.
struct PageTargets {
  private let statement: Statement?
  private var single: PageReference?
  private let relation: Int
  private let entity: String

  /// Makes a sequence of at most one object.
  init(_ single: PageReference?, of entity: String) {
    self.single = single
    statement = nil
    relation = single?.relation ?? 0
    self.entity = entity
  }

  /// Makes a sequence of the keys that `statement` returns, of objects of `relation`.
  init(_ statement: Statement, in relation: Int, of entity: String) {
    self.statement = statement
    self.relation = relation
    self.entity = entity
  }

  /// Returns the next object; `nil` at the end.
  mutating func next() throws(DecantError) -> PageReference? {
    guard let statement else {
      defer { single = nil }
      return single
    }
    return try explaining("cannot read the objects of \(entity)") {
      () throws(SQLiteError) -> PageReference? in
      while try statement.step() {
        // In a database without checks, a link may have any value.
        guard statement.type(at: 0) == .integer else { continue }
        return PageReference(relation: relation, key: statement.integer(at: 0))
      }
      return nil
    }
  }
}

extension PageStore {
  /// Returns the objects to which `edge` leads from `object`; some may not exist.
  func targets(of edge: PageEdge, from object: PageObject) throws(DecantError) -> PageTargets {
    switch edge.place {
    case .column(let column):
      guard case .integer(let key) = object.values[column] else {
        return PageTargets(nil, of: edge.destination)
      }
      return PageTargets(PageReference(relation: edge.target, key: key), of: edge.destination)
    case .links(let table):
      guard let key = object.reference?.key else { return PageTargets(nil, of: edge.destination) }
      let statement = try reading(edge.destination) { () throws(SQLiteError) in
        let statement = try connection.prepare(
          "SELECT target FROM temp.\(table) WHERE owner = ?1 ORDER BY position, target"
        )
        try statement.bind(.integer(key), at: 1)
        return statement
      }
      return PageTargets(statement, in: edge.target, of: edge.destination)
    }
  }

  /// Returns the keys of all objects of `relation`, in their order.
  func all(of place: Int) throws(DecantError) -> PageTargets {
    let relation = relation(place)
    let statement = try reading(relation.root) { () throws(SQLiteError) in
      try connection.prepare("SELECT \(relation.keyName) FROM \(relation.sqlTable(in: schema)) ORDER BY 1")
    }
    return PageTargets(statement, in: place, of: relation.root)
  }

  /// Whether `relation` holds an object that has not been shown.
  func hasUnshown(_ place: Int) throws(DecantError) -> Bool {
    let relation = relation(place)
    let source = relation.sqlTable(in: schema)
    return try reading(relation.root) { () throws(SQLiteError) in
      guard relation.keyColumn != nil else {
        return try connection.integer("SELECT 1 FROM \(source) LIMIT 1") != nil
      }
      let key = relation.keyName
      return try connection.integer(
        """
        SELECT 1 FROM \(source) AS o WHERE NOT EXISTS \
        (SELECT 1 FROM temp.shown AS s WHERE s.relation = ?1 AND s.key = o.\(key)) LIMIT 1
        """,
        .integer(Int64(place))
      ) != nil
    }
  }
}

// The objects that are the subject of the page.
extension PageStore {
  /// Determines the subject of the page: `chosen`, or all objects of the main entity that are not parts of others, in
  /// their own order or by title.
  ///
  /// - Parameters:
  ///   - chosen: Objects by the names of their entities.
  ///   - order: How they are sorted.
  /// - Returns: The number of objects.
  /// - Throws: `DecantError` of the family `.usage` if one of them does not exist; errors from reading.
  func settleRoots(_ chosen: [SharedObject], _ order: SharedOrder = .given) throws(DecantError) -> Int64 {
    for object in chosen {
      let root = model.model.root(of: object.entity)?.name ?? object.entity
      guard let place = model.layout.relations.firstIndex(where: { $0.root == root }),
        try self.object(PageReference(relation: place, key: object.key)) != nil
      else {
        throw DecantError(
          .objectNotFound,
          "there is no \(object.entity) with the key \(object.key)",
          remedy: "use objects that the store contains and the page includes"
        )
      }
      try reading(root) { () throws(SQLiteError) in
        try connection.run(
          "INSERT OR IGNORE INTO temp.roots (relation, key) VALUES (?1, ?2)",
          .integer(Int64(place)),
          .integer(object.key)
        )
      }
    }
    if chosen.isEmpty { try chooseRoots() }
    if isNarrowed { try dropUnseenRoots() }
    if order != .given { try arrangeRoots(inChapters: order == .chapters) }
    return try explaining("cannot count the objects") { () throws(SQLiteError) in
      try connection.integer("SELECT count(*) FROM temp.roots") ?? 0
    }
  }

  /// Removes objects that may not be shown from the list.
  private func dropUnseenRoots() throws(DecantError) {
    var place: Int64 = 0
    while let root = try root(after: place) {
      place = root.place
      guard try visibility(of: root.object) != .shown else { continue }
      try explaining("cannot shorten the list of objects") { () throws(SQLiteError) in
        try connection.run("DELETE FROM temp.roots WHERE place = ?1", .integer(place))
      }
    }
  }

  /// Sorts the list by title, or by chapter and title; those without a chapter come last.
  private func arrangeRoots(inChapters: Bool) throws(DecantError) {
    var place: Int64 = 0
    while let root = try root(after: place) {
      place = root.place
      guard let object = try object(root.object) else { continue }
      let chapter = inChapters ? try self.chapter(of: object) : nil
      let title = title(of: object)
      try explaining("cannot sort the list of objects") { () throws(SQLiteError) in
        try connection.run(
          "UPDATE temp.roots SET chapter = ?2, title = ?3 WHERE place = ?1",
          .integer(place),
          chapter.map { .text($0) } ?? .null,
          .text(title)
        )
      }
    }
    try explaining("cannot sort the list of objects") { () throws(SQLiteError) in
      try connection.run(
        """
        CREATE TEMP TABLE sorted AS SELECT relation, key, chapter, title FROM temp.roots
        ORDER BY chapter IS NULL, chapter COLLATE NOCASE, chapter, title COLLATE NOCASE, place
        """
      )
      try connection.run("DELETE FROM temp.roots")
      try connection.run(
        "INSERT INTO temp.roots (relation, key, chapter, title) SELECT * FROM temp.sorted ORDER BY rowid")
      try connection.run("DROP TABLE temp.sorted")
    }
  }

  /// Returns the chapter of a book to which a recipe belongs: the first of its categories.
  private func chapter(of object: PageObject) throws(DecantError) -> String? {
    guard let recipe = object.shape.recipe else { return nil }
    for place in recipe.categories {
      if let name = try titles(of: object.shape.edges[place], from: object, limit: 1).first { return name }
    }
    return recipe.categoryText.flatMap { object.values[$0].text?.firstWords(200) }
  }

  private func chooseRoots() throws(DecantError) {
    var filled: Set<Int> = []
    for (place, relation) in model.layout.relations.enumerated() where relation.keyColumn != nil {
      if try hasUnshown(place) { filled.insert(place) }
    }
    guard let main = model.main(among: filled) else { return }
    let relation = relation(main)
    let shapes = model.shapes(in: main)
    // Nested folders are shown within the folders that contain them.
    let within = Set(
      shapes.flatMap(\.edges).compactMap { edge -> String? in
        guard edge.isOwning, edge.target == main, case .links(let table) = edge.place else {
          return nil
        }
        return "\(relation.keyName) NOT IN (SELECT target FROM temp.\(table))"
      }
    )
    let edges = PageEdges(model: model.model, layout: model.layout, schema: schema)
    let position = edges.positionColumn(in: relation, of: relation.root)
    let titles = Set(shapes.compactMap(\.title)).sorted().map {
      relation.value(of: relation.columns[$0])
    }
    let order =
      [position.map { $0.name.sqlName }].compactMap(\.self)
      + (titles.isEmpty ? [] : ["coalesce(\(titles.joined(separator: ", ")), NULL) COLLATE NOCASE"])
      + [relation.keyName]
    let conditions = within.isEmpty ? "" : " WHERE " + within.sorted().joined(separator: " AND ")
    try reading(relation.root) { () throws(SQLiteError) in
      try connection.run(
        """
        INSERT INTO temp.roots (relation, key) SELECT \(main), \(relation.keyName) \
        FROM \(relation.sqlTable(in: schema))\(conditions) \
        ORDER BY \(order.joined(separator: ", "))
        """
      )
    }
  }

  /// Returns the subject after `place`, with its own place and its chapter; `nil` at the end.
  func root(after place: Int64) throws(DecantError) -> (place: Int64, object: PageReference, chapter: String?)? {
    try explaining("cannot read the list of objects") { () throws(SQLiteError) in
      var found: (Int64, PageReference, String?)?
      try connection.forEachRow(
        "SELECT place, relation, key, chapter FROM temp.roots WHERE place > ?1 ORDER BY place LIMIT 1",
        .integer(place)
      ) { row in
        found = (
          row.integer(at: 0), PageReference(relation: Int(row.integer(at: 1)), key: row.integer(at: 2)), row.text(at: 3)
        )
      }
      return found
    }
  }

  /// Whether the subjects of the page are in chapters.
  var hasChapters: Bool {
    get throws(DecantError) {
      try explaining("cannot read the list of objects") { () throws(SQLiteError) in
        try connection.integer("SELECT 1 FROM temp.roots WHERE chapter IS NOT NULL LIMIT 1") != nil
      }
    }
  }

  /// Returns the relations of the subjects of the page.
  func rootRelations() throws(DecantError) -> [Int] {
    try explaining("cannot read the list of objects") { () throws(SQLiteError) in
      var places: [Int] = []
      try connection.forEachRow("SELECT DISTINCT relation FROM temp.roots LIMIT 2") { row in
        places.append(Int(row.integer(at: 0)))
      }
      return places
    }
  }

  /// Calls `body` with each row of `relation`, whose rows have no key by which they could be read.
  func forEachUnkeyed(_ place: Int, _ body: (PageObject) throws(DecantError) -> Void) throws(DecantError) {
    let relation = relation(place)
    let rows = try reading(relation.root) { () throws(SQLiteError) in
      try connection.prepare(select(from: relation))
    }
    while try reading(relation.root, { () throws(SQLiteError) in try rows.step() }) {
      if let object = object(in: rows, at: place, nil) { try body(object) }
    }
  }
}
