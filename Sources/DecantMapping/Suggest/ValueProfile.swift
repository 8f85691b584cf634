internal import DecantBase
internal import DecantStore
internal import DecantSQLite

/// Statistics on the values of a source attribute.
struct ValueProfile {
  /// The number of objects with a value.
  var count: Int64 = 0
  /// The number of objects without a value.
  var nullCount: Int64 = 0
  /// The number of values for which each question is true.
  private var counts: [Question: Int64] = [:]

  /// A question about a value.
  enum Question: CaseIterable {
    case number, whole, small, medium, truth, text, wholeText, numberText, dateText, uuidText
    case uriText, blob, uuidBlob

    /// Returns the question as SQL over `x`.
    func sql(_ x: String) -> String {
      let isText = "typeof(\(x)) = 'text'"
      let isNumber = "typeof(\(x)) IN ('integer', 'real')"
      // Texts with letters, such as exponents, or signs of infinity are not taken for numbers.
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

  /// Returns the maximum number of values that cannot be converted to `type`.
  func unfitCount(for type: AttributeType) -> Int64 {
    func all(_ questions: Question...) -> Int64 {
      questions.reduce(count) { $0 - counts[$1, default: 0] }
    }
    // A text of digits may exceed a smaller integer type, which is not checked here.
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

  /// The common sort of all texts, if it is more specific than text.
  var textSort: ValueSort? {
    guard count > 0 else { return nil }
    let sorts: [(Question, ValueSort)] = [
      (.uuidText, .uuid), (.dateText, .date), (.uriText, .uri),
    ]
    return sorts.first { counts[$0.0] == count }?.1
  }

  /// Counts the values of all attributes of `entity`, reading each object once.
  ///
  /// - Parameters:
  ///   - entity: A concrete entity of the source.
  ///   - side: The source.
  ///   - schema: The schema name of the source.
  ///   - connection: The connection on which it is attached.
  ///   - isAsked: Whether more than the number of values is needed for a column.
  /// - Returns: The contents by column role, including links, and the number of objects.
  /// - Throws: `SQLiteError` if the source cannot be read.
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
    // SQLite returns at most two thousand columns at once.
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

  /// Returns the questions about a column; for links and external files, only the number of values matters.
  private static func questions(_ column: RelationColumn) -> [Question] {
    guard case .attribute = column.columnRole, !column.isExternal else { return [] }
    return Question.allCases
  }

  private static func figures(_ relation: Relation, _ column: RelationColumn, _ questions: [Question]) -> [String] {
    let value = column.encoding.decoding(relation.value(of: column))
    // `typeof` does not read the value, which may be larger than memory.
    return ["coalesce(sum(typeof(\(relation.value(of: column))) <> 'null'), 0)"]
      + questions.map { "coalesce(sum(\($0.sql(value))), 0)" }
  }
}
