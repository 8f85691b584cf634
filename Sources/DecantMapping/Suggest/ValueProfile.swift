internal import DecantBase
internal import DecantStore
internal import DecantSQLite

/// What values of an attribute of the source are like, counted.
struct ValueProfile {
  /// How many objects have one.
  var count: Int64 = 0
  /// How many objects have none.
  var nullCount: Int64 = 0
  /// By what is asked how many values are so.
  private var counts: [Question: Int64] = [:]

  /// What is asked of every value.
  enum Question: CaseIterable {
    case number, whole, small, medium, truth, text, wholeText, numberText, dateText, uuidText
    case uriText, blob, uuidBlob

    /// The question as SQL over `x`.
    func sql(_ x: String) -> String {
      let isText = "typeof(\(x)) = 'text'"
      let isNumber = "typeof(\(x)) IN ('integer', 'real')"
      // Where a number is meant, small letters and signs of infinity are not.
      let integer = "CAST(\(x) AS INTEGER)"
      return switch self {
      case .number: isNumber
      case .whole: "\(isNumber) AND \(integer) = \(x)"
      case .small: "\(isNumber) AND \(integer) = \(x) AND \(x) BETWEEN -32768 AND 32767"
      case .medium: "\(isNumber) AND \(integer) = \(x) AND \(x) BETWEEN -2147483648 AND 2147483647"
      case .truth: "\(isNumber) AND \(x) IN (0, 1)"
      case .text: isText
      case .wholeText: "\(isText) AND CAST(\(integer) AS TEXT) = \(x)"
      case .numberText:
        "\(isText) AND \(x) GLOB '*[0-9]*' AND \(x) NOT GLOB '*[^0-9.]*' AND \(x) NOT GLOB '*.*.*' AND length(\(x)) < 16"
      case .dateText:
        "\(isText) AND length(\(x)) BETWEEN 20 AND 30 AND \(x) GLOB '[0-2][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9]*Z' AND (length(\(x)) = 20 OR substr(\(x), 20) GLOB '.[0-9]*Z' AND substr(\(x), 21, length(\(x)) - 21) NOT GLOB '*[^0-9]*') AND datetime(\(x)) IS NOT NULL"
      case .uuidText:
        "\(isText) AND length(\(x)) = 36 AND \(x) LIKE '________-____-____-____-____________' AND \(x) NOT GLOB '*[^0-9a-fA-F-]*' AND length(replace(\(x), '-', '')) = 32"
      case .uriText: "\(isText) AND \(x) GLOB '[a-z]*://?*' AND \(x) NOT GLOB '* *'"
      case .blob: "typeof(\(x)) = 'blob'"
      case .uuidBlob: "typeof(\(x)) = 'blob' AND length(\(x)) = 16"
      }
    }
  }

  /// How many values do not become values of `type`, at most.
  func unfitCount(for type: AttributeType) -> Int64 {
    func all(_ questions: Question...) -> Int64 {
      questions.reduce(count) { $0 - counts[$1, default: 0] }
    }
    // A text of digits may be too large for a type of fewer bits: it is not looked at here.
    return switch type {
    case .integer16: all(.small)
    case .integer32: all(.medium)
    case .integer64: all(.whole, .wholeText)
    case .boolean: all(.truth)
    case .decimal, .double, .float: all(.number, .numberText)
    case .date: all(.number, .dateText)
    case .string, .uri: all(.number, .text)
    case .uuid: all(.uuidBlob, .uuidText)
    case .binary, .transformable: all(.blob)
    case .undefined, .objectID, .composite: 0
    }
  }

  /// What all its texts are, where that is more than text.
  var textSort: ValueSort? {
    guard count > 0 else { return nil }
    let sorts: [(Question, ValueSort)] = [
      (.uuidText, .uuid), (.dateText, .date), (.uriText, .uri),
    ]
    return sorts.first { counts[$0.0] == count }?.1
  }

  /// Counts the values of all attributes of `entity`, each object read once.
  ///
  /// - Parameters:
  ///   - entity: A concrete entity of the source.
  ///   - side: The source.
  ///   - schema: The name under which it is attached.
  ///   - connection: Where it is attached.
  ///   - isAsked: Whether more is wanted of a column than how many values there are.
  /// - Returns: By the role of a column what it holds, links too, and how many objects there are.
  /// - Throws: `SQLiteError` where the source cannot be read.
  static func profiles(
    of entity: String,
    _ side: MappingResolver.ModelSide,
    in schema: String,
    on connection: Connection,
    asking isAsked: (RelationColumn) -> Bool
  ) throws(SQLiteError) -> (objectCount: Int64, profiles: [ColumnRole: ValueProfile]) {
    guard let relation = side.relation(of: entity) else { return (0, [:]) }
    let lineage = side.lineage(of: entity)
    let columns = relation.columns.filter { column in
      switch column.columnRole {
      case .attribute(let property), .target(let property): lineage.contains(property.entity)
      case .key, .targetEntity, .position, .owner, .ownerPosition, .unnamed, .revision: false
      }
    }
    var source = relation.sqlTable(in: schema)
    if let code = relation.code(of: entity), let column = relation.entityCode(),
      relation.entities.count > 1
    {
      source += " WHERE +\(column) = \(code)"
    }
    var objectCount = try connection.integer("SELECT count(*) FROM \(source)") ?? 0
    var profiles: [ColumnRole: ValueProfile] = [:]
    // SQLite gives no more than two thousand columns at once.
    for start in stride(from: 0, to: columns.count, by: 100) {
      let part = columns[start..<min(start + 100, columns.count)]
      let figures = part.flatMap { column in
        ValueProfile.figures(relation, column, isAsked(column) ? questions(column) : [])
      }
      let statement = try connection.prepare("SELECT count(*), \(figures.joined(separator: ", ")) FROM \(source)")
      guard try statement.step() else { continue }
      objectCount = statement.integer(at: 0)
      var position = 1
      for column in part {
        var profile = ValueProfile()
        profile.count = statement.integer(at: position)
        profile.nullCount = objectCount - profile.count
        position += 1
        for question in isAsked(column) ? questions(column) : [] {
          profile.counts[question] = statement.integer(at: position)
          position += 1
        }
        profiles[column.columnRole] = profile
      }
    }
    return (objectCount, profiles)
  }

  /// What is asked of a column: of links, and of what may lie in files, only whether there is a value.
  private static func questions(_ column: RelationColumn) -> [Question] {
    guard case .attribute = column.columnRole, !column.isExternal else { return [] }
    return Question.allCases
  }

  private static func figures(_ relation: Relation, _ column: RelationColumn, _ questions: [Question]) -> [String] {
    let value = column.encoding.decoding(relation.value(of: column))
    // Asking for the type reads no value: it may be larger than memory.
    return ["coalesce(sum(typeof(\(relation.value(of: column))) <> 'null'), 0)"]
      + questions.map { "coalesce(sum(\($0.sql(value))), 0)" }
  }
}
