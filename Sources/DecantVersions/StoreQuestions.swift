internal import DecantBase
package import DecantPlan
internal import DecantStore
package import DecantSQLite

/// Answers a change's question to a store: how many objects are concerned, and which are the first.
///
/// SQLite does all the counting, so that memory does not grow with the store.
package struct StoreQuestions {
  let source: any SourceStore
  /// The connection with the store attached as `CopySession.source`, in a read transaction.
  let connection: Connection

  /// The maximum number of objects that are named.
  private static let exampleLimit = 3

  /// The answer to a question.
  struct Answer {
    var count: Int64 = 0
    var examples: [String] = []
    /// The number of groups of equal objects, if that was asked.
    var groupCount: Int64 = 0
  }

  package init(_ source: any SourceStore, _ connection: Connection) throws(SQLiteError) {
    self.source = source
    self.connection = connection
    try connection.register(UnfitFunction(), as: "is_unfit", [.deterministic, .directOnly])
  }

  /// Returns the change with its text, count and demand set according to the store.
  ///
  /// - Parameters:
  ///   - change: A change from a version of the model.
  ///   - trace: The origin of that version's entities and properties in the store.
  /// - Returns: The change, with its question answered.
  /// - Throws: `SQLiteError` if the store cannot be read.
  package func answered(_ change: ModelChange, by trace: ValueTrace) throws(SQLiteError) -> ModelChange {
    guard let question = change.question else { return change }
    var answer = Answer()
    for part in trace.questions(question) {
      let more = try self.answer(part)
      answer.count += more.count
      answer.groupCount += more.groupCount
      let room = StoreQuestions.exampleLimit - answer.examples.count
      answer.examples += more.examples.prefix(room)
    }
    var change = change
    change.question = nil
    change.count = answer.count
    change.examples = answer.examples
    change.demand = answer.count == 0 ? question.demandOfNone : question.demandOfSome
    change.text += ": " + question.words(answer.count, groupCount: answer.groupCount)
    return change
  }

  private func answer(_ question: DataQuestion) throws(SQLiteError) -> Answer {
    if case .sameValues(let rows) = question.matter { return try equals(rows) }
    var answer = Answer()
    for objects in ObjectSelection.all(of: question.entities, in: source) {
      guard let condition = condition(question.matter, objects) else { continue }
      let conditions = [objects.condition, condition].compactMap(\.self)
      let select = SelectStatement(columns: ["count(*)"], source: objects.source, conditions: conditions)
      let count = try connection.integer(select.sql) ?? 0
      answer.count += count
      let room = StoreQuestions.exampleLimit - answer.examples.count
      guard count > 0, room > 0, objects.relation.keyColumn != nil else { continue }
      var examples = select
      examples.columns = [objects.key, objects.code]
      examples.order = ["1"]
      try connection.forEachRow(examples.sql + "\nLIMIT \(room)") { row throws(SQLiteError) in
        answer.examples.append("\(objects.name(of: row.integerOrNil(at: 1))) p\(row.integer(at: 0))")
      }
    }
    return answer
  }

  /// Returns the SQL condition on an object; `nil` if no object can satisfy it.
  private func condition(_ matter: DataQuestion.Matter, _ objects: ObjectSelection) -> String? {
    switch matter {
    case .presence:
      return "1"
    case .value(let property, let isMissing):
      let columns = objects.columns(of: property)
      // A property without column has no value.
      guard !columns.isEmpty else { return isMissing ? "1" : nil }
      // `typeof` does not read the value, which may be larger than memory.
      let tests = columns.map { "typeof(\($0)) \(isMissing ? "=" : "<>") 'null'" }
      return "(\(tests.joined(separator: isMissing ? " AND " : " OR ")))"
    case .foreignValue(let property, _):
      return condition(.value(property, isMissing: false), objects)
    case .unfitValue(let property, _, let type):
      return objects.columns(of: property).first.map { "is_unfit(\($0), \(type.sqlText))" }
    case .link(let property, let isMissing):
      if let column = objects.column(.target(property)) {
        return "\(column) IS \(isMissing ? "" : "NOT ")NULL"
      }
      guard let links = LinkEnds(property, in: source) else { return isMissing ? "1" : nil }
      return "\(objects.key) \(isMissing ? "NOT " : "")IN (SELECT owner FROM (\(links.sql)))"
    case .links(let property, let limit):
      return LinkEnds(property, in: source).map { links in
        "\(objects.key) IN (SELECT owner FROM (\(links.sql)) "
          + "GROUP BY owner HAVING count(*) > \(limit))"
      }
    case .shared(let property):
      return LinkEnds(property, in: source).map { links in
        let several = "SELECT target FROM (\(links.sql)) GROUP BY target HAVING count(*) > 1"
        return "\(objects.key) IN (SELECT owner FROM (\(links.sql)) WHERE target IN (\(several)))"
      }
    case .stray(let property, let entities):
      guard let links = LinkEnds(property, in: source) else { return nil }
      let misplaced = links.targets(outside: entities, in: source)
      return "\(objects.key) IN (SELECT owner FROM (\(links.sql)) WHERE target IN (\(misplaced)))"
    case .sameValues:
      return nil
    }
  }

  /// Finds objects whose values are equal in all properties that must differ.
  ///
  /// As in a unique index, a missing value equals no other.
  private func equals(_ rows: [DataQuestion.UniqueValues]) throws(SQLiteError) -> Answer {
    let parts = rows.flatMap { row in
      ObjectSelection.all(of: [row.entity], in: source).compactMap { $0.values(of: row) }
    }
    guard let width = rows.first?.properties.count, width > 0, !parts.isEmpty else {
      return Answer()
    }
    let names = (0..<width).map { "v\($0)" }
    let groups =
      SelectStatement(
        columns: ["count(*) AS n", "min(k) AS first", "max(k) AS last", "e"],
        source: "(\(parts.joined(separator: "\nUNION ALL\n")))",
        conditions: names.map { "\($0) IS NOT NULL" }
      ).sql + "\nGROUP BY \(names.joined(separator: ", ")) HAVING count(*) > 1"
    var answer = Answer()
    let sums = try connection.prepare("SELECT count(*), coalesce(sum(n), 0) FROM (\(groups))")
    if try sums.step() {
      answer.groupCount = sums.integer(at: 0)
      answer.count = sums.integer(at: 1)
    }
    guard answer.count > 0 else { return answer }
    try connection.forEachRow(
      "SELECT e, first, last FROM (\(groups)) ORDER BY 2 LIMIT \(StoreQuestions.exampleLimit)"
    ) { row throws(SQLiteError) in
      guard let first = row.integerOrNil(at: 1), let last = row.integerOrNil(at: 2) else { return }
      answer.examples.append("\(row.text(at: 0) ?? "") p\(first) and p\(last)")
    }
    return answer
  }
}

/// The objects of some entities that share a table.
struct ObjectSelection {
  let relation: Relation
  /// The codes of the entities; `nil` for all objects of the table.
  private let codes: [Int64]?
  private let isTold: Bool

  var source: String { "\(relation.sqlTable(in: CopySession.source)) AS o" }
  var key: String { "o.\(relation.keyName)" }
  /// The code of an object's entity.
  var code: String { relation.entityCode(in: "o") ?? "NULL" }

  /// The condition under which a row is one of the objects.
  var condition: String? {
    // The plus keeps SQLite from using an index on the entity, which would read the table out of order.
    codes.map { "+\(code) IN (\($0.list))" }
  }

  /// Returns one selection for each table that holds objects of exactly `entities`.
  static func all(of entities: [String], in source: any SourceStore) -> [ObjectSelection] {
    var names: [String: [String]] = [:]
    var roots: [String] = []
    for entity in entities {
      guard let root = source.model.root(of: entity)?.name else { continue }
      if names[root] == nil { roots.append(root) }
      names[root, default: []].append(entity)
    }
    return roots.compactMap { root in
      source.layout.relation(of: root).flatMap { ObjectSelection($0, names[root] ?? []) }
    }
  }

  private init?(_ relation: Relation, _ entities: [String]) {
    let codes = entities.compactMap { relation.code(of: $0) }
    guard !codes.isEmpty else { return nil }
    self.relation = relation
    isTold = relation.entityColumn != nil
    self.codes = isTold ? codes : nil
  }

  /// Returns the name of the entity with `code`.
  func name(of code: Int64?) -> String {
    relation.entities.first { $0.code == code }?.name ?? relation.entities.first?.name ?? ""
  }

  /// Returns the columns with an attribute's values; for a composite attribute, the columns of all its leaves.
  func columns(of property: Property) -> [String] {
    relation.columns.compactMap { column in
      guard case .attribute(let own) = column.columnRole, own.entity == property.entity,
        own.name == property.name || own.name.hasPrefix(property.name + ".")
      else { return nil }
      return relation.value(of: column, in: "o")
    }
  }

  /// Returns the column with the role `columnRole`.
  func column(_ columnRole: ColumnRole) -> String? {
    relation.column(columnRole).map { relation.value(of: $0, in: "o") }
  }

  /// Returns the rows to compare, with columns `k`, `e`, `v0`, `v1` and so on; `nil` if a value has no column.
  fileprivate func values(of row: DataQuestion.UniqueValues) -> String? {
    var columns = ["\(key) AS k", "\(row.entity.sqlText) AS e"]
    for (position, property) in row.properties.enumerated() {
      var value = "''"
      if let property {
        guard let column = self.columns(of: property).first ?? column(.target(property)) else {
          return nil
        }
        value = column
      }
      columns.append("\(value) AS v\(position)")
    }
    return SelectStatement(columns: columns, source: source, conditions: condition.map { [$0] } ?? []).sql
  }
}
