internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// A reader of a column of texts that contain keys and more: a key after a common prefix, as `tt:5`, or several in a
/// list.
struct LinkTexts {
  /// The keys after one prefix.
  typealias Kind = LinkSettings.Kind

  /// The form in which a column contains keys.
  enum Form: Equatable {
    /// After one of these prefixes.
    case prefixes([String])
    /// Several in one text.
    case list
  }

  let relation: Relation
  let column: RelationColumn
  /// The connection with the database, and its schema.
  let connection: Connection
  let schema: String

  /// The number of rows that are read to determine the form.
  private static let sampleCount = 1_000
  /// The tolerance for rows of another form: one in this number.
  private static let tolerance = 10
  /// The number of texts without keys after which the search ends, if most are without.
  private static let patience = 20
  /// The maximum number of prefixes in a column.
  private static let limit = 8
  /// The maximum length of a text with one key, in bytes.
  private static let lengthLimit = 200

  /// Characters at the end of a prefix.
  private static let separators: Set<Character> = [":", "#", "|", "@"]
  /// Characters at the end of a prefix that is the name of a table.
  private static let weakSeparators: Set<Character> = ["-", "_", ".", "/", "="]
  /// Characters around and between the keys of a list.
  private static let listSigns: Set<UInt8> = [9, 32, 44, 59, 91, 93, 123, 124, 125]

  /// Determines from the first rows the form of the column.
  ///
  /// - Parameter isTable: Whether a word before a key is the name of a table.
  /// - Returns: The form; `nil` for texts without keys.
  /// - Throws: `SQLiteError` if the database cannot be read.
  func form(isTable: (LinkName) -> Bool) throws(SQLiteError) -> Form? {
    var prefixes: [String: Int] = [:]
    var (count, listCount, longCount) = (0, 0, 0)
    let rows = try connection.prepare(
      """
      SELECT v FROM (SELECT \(relation.value(of: column)) AS v FROM \(relation.sqlTable(in: schema))
        LIMIT \(Self.sampleCount)) WHERE typeof(v) = 'text' AND v <> ''
      """
    )
    while try rows.step() {
      count += 1
      let text = rows.text(at: 0) ?? ""
      let prefix = Self.prefix(of: text)
      if let prefix { prefixes[prefix, default: 0] += 1 }
      if let numbers = Self.numberCount(in: text) {
        listCount += 1
        if numbers > 1 { longCount += 1 }
      } else if prefix == nil, count > Self.patience,
        max(listCount, prefixes.values.reduce(0, +)) * 2 < count
      {
        return nil
      }
    }
    if longCount > 0, longCount * 4 >= count, (count - listCount) * Self.tolerance <= count {
      return .list
    }
    // A single row is no evidence for others.
    let common = prefixes.filter { $0.value > 1 }
    guard common.count <= Self.limit,
      (count - common.values.reduce(0, +)) * Self.tolerance <= count
    else { return nil }
    let found = common.keys.filter { Self.isBeforeKey($0, isTable: isTable) }.sorted()
    return found.isEmpty ? nil : .prefixes(found)
  }

  /// Reads the keys after `prefix`.
  ///
  /// - Parameters:
  ///   - prefix: The text before them.
  ///   - candidates: The tables that may have them as keys.
  /// - Returns: The values; `nil` if there are no keys.
  /// - Throws: `SQLiteError` if the database cannot be read.
  func kind(_ prefix: String, _ candidates: [LinkScan.Candidate]) throws(SQLiteError) -> Kind? {
    let condition = RowCondition([RowCondition.Comparison(column.name, prefix: prefix)])
    let key = prefix.keyBehind(column.name.sqlName)
    var scan = LinkScan(candidates, isLinkLike: true)
    try scan.read(
      "SELECT \(key) FROM \(relation.sqlTable(in: schema)) WHERE \(condition.sql(in: nil)) AND \(key) > 0",
      on: connection
    )
    guard scan.valueCount > 0, !scan.candidates.isEmpty else { return nil }
    let type = LinkType(condition, portable: condition, name: prefix, root: nil)
    return Kind(type: type, scan: scan)
  }

  /// Reads the keys in lists.
  ///
  /// - Parameter candidates: The tables that may have them as keys.
  /// - Returns: The values; `nil` if there are no keys.
  /// - Throws: `SQLiteError` if the database cannot be read.
  func list(_ candidates: [LinkScan.Candidate]) throws(SQLiteError) -> LinkScan? {
    var scan = LinkScan(candidates, isLinkLike: true)
    let rows = try connection.prepare(
      """
      SELECT v FROM (SELECT \(relation.value(of: column)) AS v FROM \(relation.sqlTable(in: schema)))
      WHERE typeof(v) = 'text' AND v GLOB '*[0-9]*'
      """
    )
    while try rows.step() {
      guard let text = rows.text(at: 0), Self.numberCount(in: text) != nil else { continue }
      for number in text.utf8.split(whereSeparator: { !Self.isDigit($0) }) {
        guard let key = Int64(Substring(number)), key > 0 else { continue }
        try scan.add(key)
      }
      guard !scan.candidates.isEmpty else { return nil }
    }
    scan.finish()
    return scan.valueCount > 0 ? scan : nil
  }

  /// Returns the word in `prefix` that names the kind of the key: the last one.
  static func word(of prefix: String) -> LinkName {
    LinkName(prefix.split { !$0.isLetter && $0 != "_" }.last.map(String.init) ?? "")
  }

  private static func isBeforeKey(_ prefix: String, isTable: (LinkName) -> Bool) -> Bool {
    guard let last = prefix.last, !prefix.contains(where: \.isNumber) else { return false }
    guard prefix.contains(where: \.isLetter) else { return prefix == "#" || prefix == "@" }
    return separators.contains(last) || weakSeparators.contains(last) && isTable(word(of: prefix))
  }

  /// Returns the text before the number at the end of `text`; `nil` without such a number, or without other text.
  private static func prefix(of text: String) -> String? {
    guard text.utf8.count <= lengthLimit else { return nil }
    let digits = text.utf8.reversed().prefix { isDigit($0) }.count
    guard 1...18 ~= digits, digits < text.utf8.count else { return nil }
    let number = text.utf8.suffix(digits)
    guard digits == 1 || number.first != 48 else { return nil }
    return String(decoding: text.utf8.dropLast(digits), as: UTF8.self)
  }

  /// Returns the number of numbers in `text`; `nil` if it contains anything but numbers and list characters.
  private static func numberCount(in text: String) -> Int? {
    guard text.utf8.allSatisfy({ isDigit($0) || listSigns.contains($0) }) else { return nil }
    let numbers = text.utf8.split { !isDigit($0) }
    return numbers.isEmpty || numbers.contains { $0.count > 18 } ? nil : numbers.count
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
}
