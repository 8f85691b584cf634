internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// A reader of a column of texts that contain keys and more: a key after a common prefix, as `tt:5`, or several in a
/// list, a path or JSON.
struct LinkTexts {
  /// The keys after one prefix.
  typealias Kind = LinkSettings.Kind

  /// The form in which a column contains keys.
  enum Form: Equatable {
    /// After one of these prefixes.
    case prefixes([String])
    /// Several in one text.
    case list
    /// Those of the rows from the root of a tree to the row or its parent, as in `1/2/5`.
    case path
    /// Several as members of JSON.
    case members
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
  /// The maximum number of names in JSON: more are data.
  private static let nameLimit = 1_000
  /// The number of texts with JSON that are read.
  private static let memberLimit = 100_000
  /// The maximum length of a text with one key, in bytes.
  private static let lengthLimit = 200

  /// Characters at the end of a prefix.
  private static let separators: Set<Character> = [":", "#", "|", "@"]
  /// Characters at the end of a prefix that is the name of a table.
  private static let weakSeparators: Set<Character> = ["-", "_", ".", "/", "="]
  /// Determines from the first rows the form of the column.
  ///
  /// - Parameter isTable: Whether a word before a key is the name of a table.
  /// - Returns: The form; `nil` for texts without keys.
  /// - Throws: `SQLiteError` if the database cannot be read.
  func form(isTable: (LinkName) -> Bool) throws(SQLiteError) -> Form? {
    var prefixes: [String: Int] = [:]
    var count = 0
    /// Whether names of members are those of tables.
    var known: [String: Bool] = [:]
    func isLink(_ name: String) -> Bool {
      if let isLink = known[name] { return isLink }
      if known.count < Self.nameLimit { known[name] = isTable(LinkName(name)) }
      return known[name] ?? false
    }
    /// The numbers of texts in a form, and of those with keys that show it.
    var (lists, paths, objects) = ((all: 0, long: 0), (all: 0, long: 0), (all: 0, long: 0))
    let rows = try connection.prepare(
      """
      SELECT v, k FROM (SELECT \(relation.value(of: column)) AS v, \(relation.keyName) AS k FROM \(relation.sqlTable(in: schema))
        LIMIT \(Self.sampleCount)) WHERE typeof(v) = 'text' AND v <> ''
      """
    )
    while try rows.step() {
      count += 1
      let text = rows.text(at: 0) ?? ""
      let prefix = Self.prefix(of: text)
      if let prefix { prefixes[prefix, default: 0] += 1 }
      let (list, path) = (KeyLists.list(text), KeyLists.path(text))
      if let list {
        lists.all += 1
        if list.count > 1 { lists.long += 1 }
      }
      // The path to the root of a tree has one number.
      if (path ?? list)?.count == 1 {
        paths.all += 1
      } else if let path, try isPath(path, of: rows.integer(at: 1)) {
        paths.all += 1
        paths.long += 1
      } else if list != nil {
        continue
      } else if let members = KeyLists.members(text) {
        objects.all += 1
        if members.contains(where: { isLink($0.name) }) { objects.long += 1 }
      } else if prefix == nil, count > Self.patience,
        max(lists.all, paths.all, objects.all, prefixes.values.reduce(0, +)) * 2 < count
      {
        return nil
      }
    }
    func prevails(_ form: (all: Int, long: Int)) -> Bool {
      form.long > 0 && form.long * 4 >= count && (count - form.all) * Self.tolerance <= count
    }
    if prevails(paths) { return .path }
    if prevails(lists) { return .list }
    if prevails(objects) { return .members }
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

  /// Reads the keys in lists or paths.
  ///
  /// - Parameters:
  ///   - candidates: The tables that may have them as keys.
  ///   - numbers: Returns the numbers of a text in this form; `nil` for another one.
  /// - Returns: The values; `nil` if there are no keys.
  /// - Throws: `SQLiteError` if the database cannot be read.
  func keys(_ candidates: [LinkScan.Candidate], _ numbers: (String) -> [Int64]?) throws(SQLiteError) -> LinkScan? {
    var scan = LinkScan(candidates, isLinkLike: true)
    let rows = try texts()
    while try rows.step() {
      for key in rows.text(at: 0).flatMap(numbers) ?? [] where key > 0 { try scan.add(key) }
      guard !scan.candidates.isEmpty else { return nil }
    }
    scan.finish()
    return scan.valueCount > 0 ? scan : nil
  }

  /// Reads the keys in members of JSON that are named like links to tables, in the first rows of a large table.
  ///
  /// - Parameters:
  ///   - candidates: The tables that may have them as keys.
  ///   - isNamed: Whether a name is that of a link to a table.
  /// - Returns: The values for the table with the most; `nil` if there are no keys.
  /// - Throws: `SQLiteError` if the database cannot be read.
  func members(_ candidates: [LinkScan.Candidate], _ isNamed: (LinkName, String) -> Bool) throws(SQLiteError)
    -> LinkScan?
  {
    var scans = candidates.map { LinkScan([$0], isLinkLike: true) }
    /// The tables to which names lead, as positions in `candidates`.
    var known: [String: [Int]] = [:]
    let rows = try texts()
    var count = 0
    while count < Self.memberLimit, try rows.step() {
      count += 1
      for (name, value) in rows.text(at: 0).flatMap(KeyLists.members) ?? [] where value > 0 {
        if known[name] == nil, known.count < Self.nameLimit {
          known[name] = candidates.indices.filter { isNamed(LinkName(name), candidates[$0].map.root) }
        }
        for place in known[name] ?? [] where !scans[place].candidates.isEmpty { try scans[place].add(value) }
      }
    }
    for place in scans.indices { scans[place].finish() }
    let found = scans.filter { $0.valueCount > 0 && !$0.candidates.isEmpty }
    return found.max { $0.valueCount < $1.valueCount }
  }

  /// Prepares a statement that returns all texts with digits.
  private func texts() throws(SQLiteError) -> Statement {
    try connection.prepare(
      """
      SELECT v FROM (SELECT \(relation.value(of: column)) AS v FROM \(relation.sqlTable(in: schema)))
      WHERE typeof(v) = 'text' AND v GLOB '*[0-9]*'
      """
    )
  }

  /// Returns whether these numbers lead from the root of a tree to the row with the key `key`, or to its parent: the path
  /// of the row above is the same without the last one.
  private func isPath(_ numbers: [Int64], of key: Int64) throws(SQLiteError) -> Bool {
    guard let name = relation.keyColumn?.sqlName, let last = numbers.last else { return false }
    let above = last == key ? numbers.dropLast().last : last
    guard let above, above != key else { return false }
    let row = try connection.prepare(
      "SELECT coalesce(\(relation.value(of: column)), '') FROM \(relation.sqlTable(in: schema)) WHERE \(name) = ?1")
    try row.bind(.integer(above), at: 1)
    guard try row.step(), let text = row.text(at: 0) else { return false }
    return (text.isEmpty ? [] : KeyLists.path(text) ?? KeyLists.list(text)) == numbers.dropLast()
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
    let digits = text.utf8.reversed().prefix { KeyLists.isDigit($0) }.count
    guard 1...18 ~= digits, digits < text.utf8.count else { return nil }
    let number = text.utf8.suffix(digits)
    guard digits == 1 || number.first != 48 else { return nil }
    return String(decoding: text.utf8.dropLast(digits), as: UTF8.self)
  }
}
