internal import DecantSQLite
package import TestSupport

/// A schema drawn at random: every kind of key, links to and through all of them, and what hangs on tables.
package struct RandomSchema {
  package private(set) var tables: [RandomTable] = []
  /// Indexes, views, triggers and virtual tables, in an order in which they can be made.
  package private(set) var rest: [String] = []
  /// Pragmas that come before the first table.
  package private(set) var pragmas: [String] = []
  /// Virtual tables with rows of their own, and the column that shows the number of a row.
  package private(set) var virtualTables: [(name: String, key: String)] = []

  private var generator: SeededGenerator

  package init(_ generator: SeededGenerator) {
    self.generator = generator
    let pragmas = [
      "encoding = '\(draw(["UTF-8", "UTF-8", "UTF-16le", "UTF-16be"]))'",
      "page_size = \(draw([512, 1024, 4096]))", "auto_vacuum = \(draw([0, 0, 1, 2]))",
      "user_version = \(number(-9...9))", "application_id = \(number(0...99))",
    ]
    self.pragmas = pragmas
    let names = Self.names.shuffled(using: &self.generator)
    for name in names.prefix(number(2...7)) { makeTable(name) }
    // Links that need no order: to a later table, to itself, round in circles.
    for index in tables.indices where !isJoin(tables[index]) {
      var table = tables[index]
      for _ in 0..<number(0...2) { addLink(to: &table, inKey: false) }
      tables[index] = table
    }
    makeRest()
  }

  private static let names = [
    "recipe", "Order", "group by", "it's", "say \"so\"", "Ünïcode", "日本", "select", "a.b",
    "semi;colon",
    "[bracket]", "new\nline", "%d", "table", "x",
  ]
  private static let columnNames = [
    "title", "index", "When", "a b", "o'clock", "é", "%s", "value", "order", "oid", "column\"", "n",
  ]
  private static let types = [
    "INTEGER", "TEXT", "REAL", "NUMERIC", "BLOB", "", "VARCHAR(20)", "BOOLEAN", "DATETIME",
    "DECIMAL(5, 2)", "strange type",
  ]

  private mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &generator)
  }
  private mutating func isLucky(_ oneIn: Int) -> Bool { number(1...oneIn) == 1 }
  private mutating func draw<Value>(_ values: [Value]) -> Value {
    values[number(0...values.count - 1)]
  }

  /// Whether a table is nothing but links: it must stay so.
  private func isJoin(_ table: RandomTable) -> Bool {
    table.columns.count == 2
      && table.columns.allSatisfy { if case .link = $0.content { true } else { false } }
  }

  private mutating func makeTable(_ name: String) {
    var table = RandomTable(name: name)
    table.isStrict = isLucky(4)
    switch number(1...10) {
    case 1...3: makeNumbered(&table, type: "INTEGER")
    case 4: makeNumbered(&table, type: "INT")
    case 5: makeNamed(&table)
    case 6: break
    case 7: if !makeHeir(&table) { makeNumbered(&table, type: "INTEGER") }
    case 8 where makeJoin(&table):
      tables.append(table)
      return
    default: makeComposite(&table)
    }
    for _ in 0..<number(1...4) { addColumn(to: &table) }
    if isLucky(3) { addUnique(to: &table) }
    if isLucky(3) { addComputed(to: &table) }
    if isLucky(3), let target = tables.filter({ $0.hasIntegerKey }).randomElement(using: &generator) {
      let type = table.isStrict ? "INTEGER" : draw(["INTEGER", "", "NUMERIC"])
      table.columns.append(.init(name: "other_fk", type: type, content: .undeclared(target.name)))
    }
    tables.append(table)
  }

  private mutating func makeNumbered(_ table: inout RandomTable, type: String) {
    table.columns = [.init(name: draw(["id", "Z_PK", "the key"]), type: type, content: .number)]
    table.primaryKey = [table.columns[0].name]
    table.isInline = true
    table.hasRowID = !isLucky(5)
    table.isAutoincrement = type == "INTEGER" && table.hasRowID && isLucky(3)
    table.uniqueGroups = [table.primaryKey]
  }

  private mutating func makeNamed(_ table: inout RandomTable) {
    let kind = draw(["TEXT", "TEXT", "BLOB"])
    table.columns = [.init(name: "name", type: kind, content: .unique(kind))]
    if kind == "TEXT", isLucky(2) {
      table.columns[0].constraints = draw(["COLLATE NOCASE", "NOT NULL"])
    }
    table.primaryKey = ["name"]
    table.hasRowID = isLucky(2)
    table.uniqueGroups = [["name"]]
  }

  /// A table whose key is another table's key: one that inherits from it.
  private mutating func makeHeir(_ table: inout RandomTable) -> Bool {
    let parents = tables.filter { $0.hasIntegerKey }
    guard let parent = parents.randomElement(using: &generator) else { return false }
    // Or what is unique there and no key: such a value can be no other in a copy.
    let numbers = parent.uniqueGroups.first { parent.column($0[0])?.content == .unique("INTEGER") }
    let target = isLucky(2) ? parent.primaryKey : numbers ?? parent.primaryKey
    table.columns = [.init(name: "parent_ptr", type: "INTEGER", content: .link(0))]
    table.primaryKey = ["parent_ptr"]
    table.isInline = true
    table.foreignKeys = [
      .init(
        columns: ["parent_ptr"],
        table: parent.name,
        targets: target,
        isShort: target == parent.primaryKey && isLucky(2),
        rules: "ON DELETE CASCADE"
      )
    ]
    table.uniqueGroups = [table.primaryKey]
    return true
  }

  private mutating func makeJoin(_ table: inout RandomTable) -> Bool {
    let ends = tables.filter { $0.hasIntegerKey }
    guard let one = ends.randomElement(using: &generator),
      let other = ends.randomElement(using: &generator)
    else { return false }
    for (index, end) in [one, other].enumerated() {
      let name = "\(index == 0 ? "one" : "other") id"
      table.columns.append(.init(name: name, type: "INTEGER", content: .link(index)))
      table.foreignKeys.append(
        .init(columns: [name], table: end.name, targets: end.primaryKey, isShort: isLucky(2), rules: rules())
      )
    }
    table.primaryKey = table.columns.map(\.name)
    table.hasRowID = isLucky(2)
    table.uniqueGroups = [table.primaryKey]
    if table.isStrict || isLucky(4) {
      for index in 0...1 { table.columns[index].constraints = "NOT NULL" }
    }
    return true
  }

  /// A key of several columns, some of them links, to keys that may be made of links themselves.
  private mutating func makeComposite(_ table: inout RandomTable) {
    addLink(to: &table, inKey: true)
    let linked = table.columns.map(\.name)
    let last = draw(["TEXT", "INTEGER"])
    table.columns.append(.init(name: "part", type: last, content: .unique(last)))
    table.primaryKey = isLucky(2) ? linked + ["part"] : ["part"] + linked
    table.hasRowID = isLucky(2)
    table.uniqueGroups = [table.primaryKey]
    if !table.hasRowID, isLucky(2) { table.uniqueGroups.append(table.primaryKey.reversed()) }
  }

  private func freeName(in table: RandomTable, _ names: [String]) -> String? {
    names.first { name in !table.columns.contains { $0.name.lowercased() == name.lowercased() } }
  }

  private mutating func addColumn(to table: inout RandomTable) {
    let names = Self.columnNames.shuffled(using: &generator)
    guard let name = freeName(in: table, names) else { return }
    let type =
      table.isStrict ? draw(["INTEGER", "INT", "REAL", "TEXT", "BLOB", "ANY"]) : draw(Self.types)
    var column = RandomTable.Column(name: name, type: type, content: .any)
    let quoted = name.quotedName
    column.constraints = draw([
      "", "", "", "DEFAULT NULL", "COLLATE RTRIM", "CHECK (length(\(quoted)) < 100000)",
      type == "TEXT" || type.isEmpty ? "DEFAULT 'it''s'" : "DEFAULT (abs(-7))",
    ])
    // What a strict table gives by default has to be of the type.
    if table.isStrict, column.constraints.hasPrefix("DEFAULT (") { column.constraints = "" }
    table.columns.append(column)
  }

  private mutating func addUnique(to table: inout RandomTable) {
    guard let name = freeName(in: table, ["number", "slug"]) else { return }
    let type = draw(["INTEGER", "TEXT"])
    table.columns.append(.init(name: name, type: type, content: .unique(type)))
    table.uniqueGroups.append([name])
  }

  private mutating func addComputed(to table: inout RandomTable) {
    guard let base = table.columns.last(where: { $0.content == .any })?.name.quotedName,
      let name = freeName(in: table, ["computed", "made of it"])
    else { return }
    table.columns.append(
      .init(
        name: name,
        type: "TEXT",
        constraints: draw(["STORED", "VIRTUAL"]),
        content: .computed("typeof(\(base)) || length(\(base))")
      )
    )
  }

  /// Adds columns that lead to some unique group: in a key only of a table that is there already.
  private mutating func addLink(to table: inout RandomTable, inKey: Bool) {
    guard let target = tables.randomElement(using: &generator),
      let group = target.settledGroups.randomElement(using: &generator)
    else { return }
    var columns: [String] = []
    for name in group {
      let named = ["\(target.name) \(name)", "to \(name)", "to \(name) \(table.columns.count)"]
      guard let free = freeName(in: table, [draw(named)] + named) else { return }
      var type = target.column(name)?.type ?? ""
      // SQLite compares what a link holds by the rules of its target, whatever the link's own type.
      if group.count == 1, !inKey, !table.isStrict, isLucky(4) { type = draw(["", "TEXT"]) }
      if table.isStrict, !["INTEGER", "INT", "TEXT", "BLOB"].contains(type) { type = "ANY" }
      columns.append(free)
      table.columns.append(.init(name: free, type: type, content: .link(table.foreignKeys.count)))
    }
    // Once in a while an end is of one row only.
    if !inKey, columns.count == 1, isLucky(5) { table.uniqueGroups.append(columns) }
    table.foreignKeys.append(
      .init(
        columns: columns,
        table: target.name,
        targets: group,
        isShort: group == target.primaryKey && isLucky(2),
        rules: rules()
      )
    )
  }

  private mutating func rules() -> String {
    let actions = ["CASCADE", "SET NULL", "SET DEFAULT", "RESTRICT", "NO ACTION"]
    return draw(["", "ON DELETE \(draw(actions))"]) + draw(["", " ON UPDATE \(draw(actions))"])
      + draw(["", "", " DEFERRABLE INITIALLY DEFERRED", " NOT DEFERRABLE"])
  }

  private mutating func makeRest() {
    for (place, table) in tables.enumerated() {
      let name = table.name.quotedName
      let column = draw(table.columns).name.quotedName
      switch number(1...7) {
      case 1:
        rest.append("CREATE INDEX \("index \(place)".quotedName) ON \(name) (\(column) DESC);")
      case 2:
        rest.append("CREATE INDEX \"part \(place)\" ON \(name) (\(column)) WHERE \(column) IS NOT NULL;")
      case 3:
        rest.append("CREATE INDEX by\(place) ON \(name) (length(\(column)), \(column) COLLATE NOCASE);")
      case 4: rest.append("CREATE VIEW \"view \(place)\" AS SELECT * FROM \(name);")
      case 5:
        rest.append(
          """
          CREATE TRIGGER "never \(place)" BEFORE INSERT ON \(name)
          BEGIN SELECT RAISE(ABORT, 'a trigger ran'); END;
          """
        )
      case 6 where table.hasRowID && table.hasIntegerKey:
        rest.append(
          "CREATE VIRTUAL TABLE words\(place) USING fts5(\(column), content = \(name), content_rowid = \(table.primaryKey[0].quotedName));"
        )
        rest.append("INSERT INTO words\(place) (words\(place)) VALUES ('rebuild');")
      default: continue
      }
    }
    if isLucky(3) {
      virtualTables.append(("areas", "id"))
      rest.append("CREATE VIRTUAL TABLE areas USING rtree(id, a, b, +note);")
      rest.append("INSERT INTO areas VALUES (3, -1.5, 2, 'x'), (9, 0, 0, NULL);")
    }
    if isLucky(3) {
      virtualTables.append(("own words", "rowid"))
      rest.append("CREATE VIRTUAL TABLE \"own words\" USING fts5(a, b, tokenize = porter);")
      rest.append("INSERT INTO \"own words\" (rowid, a, b) VALUES (4, 'leek', 'soups'), (11, '', NULL);")
    }
  }
}
