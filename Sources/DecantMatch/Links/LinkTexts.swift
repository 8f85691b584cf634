internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// Reads a column of texts that hold keys and more: a key behind the same few letters, as `tt:5`, or many in a list.
struct LinkTexts {
  /// The keys behind one prefix.
  typealias Kind = LinkSettings.Kind

  /// How a column writes keys.
  enum Form: Equatable {
    /// Behind one of these texts.
    case prefixes([String])
    /// Several in one text.
    case list
  }

  let relation: Relation
  let column: RelationColumn
  /// Where the database is attached, and under which name.
  let connection: Connection
  let schema: String

  /// How many rows tell how the column is written.
  private static let sampleCount = 1_000
  /// How many rows may be written in another way: one of so many.
  private static let tolerance = 10
  /// How many texts that are no keys end the look at the first rows, where most are none.
  private static let patience = 20
  /// How many prefixes a column has at the most.
  private static let limit = 8
  /// How long a text with one key is at the most, in bytes.
  private static let lengthLimit = 200

  /// Signs that end what stands before a key.
  private static let separators: Set<Character> = [":", "#", "|", "@"]
  /// Signs that do so where the word before them is the name of a table.
  private static let weakSeparators: Set<Character> = ["-", "_", ".", "/", "="]
  /// Signs around and between the keys of a list.
  private static let listSigns: Set<UInt8> = [9, 32, 44, 59, 91, 93, 123, 124, 125]

  /// Finds out from the first rows how the column is written.
  ///
  /// - Parameter isTable: Whether a word before a key is the name of a table.
  /// - Returns: The form; `nil` for texts that hold no keys.
  /// - Throws: `SQLiteError` where the database cannot be read.
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
    // One row alone tells nothing of the others.
    let common = prefixes.filter { $0.value > 1 }
    guard common.count <= Self.limit,
      (count - common.values.reduce(0, +)) * Self.tolerance <= count
    else { return nil }
    let found = common.keys.filter { Self.isBeforeKey($0, isTable: isTable) }.sorted()
    return found.isEmpty ? nil : .prefixes(found)
  }

  /// Reads the keys behind `prefix`.
  ///
  /// - Parameters:
  ///   - prefix: The text before them.
  ///   - candidates: The tables whose keys they may be.
  /// - Returns: What was read; `nil` where there are no keys.
  /// - Throws: `SQLiteError` where the database cannot be read.
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
  /// - Parameter candidates: The tables whose keys they may be.
  /// - Returns: What was read; `nil` where there are no keys.
  /// - Throws: `SQLiteError` where the database cannot be read.
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

  /// The word that tells of what the key behind `prefix` is: the last one in it.
  static func word(of prefix: String) -> LinkName {
    LinkName(prefix.split { !$0.isLetter && $0 != "_" }.last.map(String.init) ?? "")
  }

  private static func isBeforeKey(_ prefix: String, isTable: (LinkName) -> Bool) -> Bool {
    guard let last = prefix.last, !prefix.contains(where: \.isNumber) else { return false }
    guard prefix.contains(where: \.isLetter) else { return prefix == "#" || prefix == "@" }
    return separators.contains(last) || weakSeparators.contains(last) && isTable(word(of: prefix))
  }

  /// What stands before the number at the end of `text`; `nil` where there is no such number, or nothing else.
  private static func prefix(of text: String) -> String? {
    guard text.utf8.count <= lengthLimit else { return nil }
    let digits = text.utf8.reversed().prefix { isDigit($0) }.count
    guard 1...18 ~= digits, digits < text.utf8.count else { return nil }
    let number = text.utf8.suffix(digits)
    guard digits == 1 || number.first != 48 else { return nil }
    return String(decoding: text.utf8.dropLast(digits), as: UTF8.self)
  }

  /// How many numbers stand in `text`; `nil` where more than signs stand between them.
  private static func numberCount(in text: String) -> Int? {
    guard text.utf8.allSatisfy({ isDigit($0) || listSigns.contains($0) }) else { return nil }
    let numbers = text.utf8.split { !isDigit($0) }
    return numbers.isEmpty || numbers.contains { $0.count > 18 } ? nil : numbers.count
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
}
