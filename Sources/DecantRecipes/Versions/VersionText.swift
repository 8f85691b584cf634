internal import DecantSQLite

/// The content of a version, written from the values with which a recipe is stored.
///
/// It has the same bytes as `RecipeVersion.contentExpression`, which computes it from the tables in ten times the time.
struct VersionText {
  private var recipe = VersionRows(RecipeVersion.recipeColumns.map(\.name))
  private var parts = VersionText.tables.map { table in
    VersionRows(
      RecipeVersion.columns(of: table).map(\.name) + (table.name == RecipeTable.image.name ? ["step"] : []))
  }
  private var source: String?
  private var names: [[String]] = []

  /// The tables of the parts, in their order in a version.
  private static let tables = RecipeVersion.listed + [.nativeID]
  private static let numbers = Dictionary(uniqueKeysWithValues: tables.enumerated().map { ($1.name, $0) })

  /// Begins the version of a recipe with these values, except its identifier, and this source.
  mutating func begin(_ values: some Sequence<Binding>, source: String?) {
    recipe.clear()
    for index in parts.indices { parts[index].clear() }
    names = RecipeSchema.namedTables.map { _ in [] }
    self.source = source
    recipe.add(values)
  }

  /// Adds a part of the recipe, at its place in the list.
  mutating func add(_ table: RecipeTable, _ values: some Sequence<Binding>, at place: Int64? = nil) {
    guard let number = Self.numbers[table.name] else { return }
    parts[number].add(values, at: place)
  }

  /// Adds the names that the recipe has in the table at `index` among the tables of names.
  mutating func add(names list: [String], at index: Int) { names[index] = list }

  /// The content.
  var content: [UInt8] {
    var bytes = Array("{\"Recipe\":".utf8)
    bytes += recipe.bytes
    bytes += ",\"Source\":".utf8
    bytes.append(json: .optional(source))
    for (table, rows) in zip(Self.tables, parts) {
      bytes += ",\"\(table.name)\":[".utf8
      bytes += rows.bytes
      bytes.append(UInt8(ascii: "]"))
    }
    for ((table, _), list) in zip(RecipeSchema.namedTables, names) {
      bytes += ",\"\(table)\":[".utf8
      var last: String?
      for name in list.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
        // Only names with the same bytes are equal.
        if let last, last.utf8.elementsEqual(name.utf8) { continue }
        if last != nil { bytes.append(UInt8(ascii: ",")) }
        bytes.append(json: .text(name))
        last = name
      }
      bytes.append(UInt8(ascii: "]"))
    }
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  /// The places of the parts.
  var places: String {
    var text = ""
    for (table, rows) in zip(RecipeVersion.listed, parts) {
      text += text.isEmpty ? "{\"" : ",\""
      text += table.name
      text += "\":["
      for (number, place) in rows.places.enumerated() {
        if number > 0 { text += "," }
        text += String(place)
      }
      text += "]"
    }
    return text + "}"
  }
}

/// Rows of a table as JSON objects, separated by commas.
private struct VersionRows {
  /// The text before each value: its name, and the separator from the previous value.
  private let labels: [[UInt8]]
  private(set) var bytes: [UInt8] = []
  private(set) var places: [Int64] = []

  init(_ columns: [String]) {
    labels = columns.enumerated().map { Array("\($0 == 0 ? "{" : ",")\"\($1)\":".utf8) }
  }

  mutating func clear() {
    bytes.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
  }

  mutating func add(_ values: some Sequence<Binding>, at place: Int64? = nil) {
    if !bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
    for (label, value) in zip(labels, values) {
      bytes += label
      bytes.append(json: value)
    }
    bytes.append(UInt8(ascii: "}"))
    if let place { places.append(place) }
  }
}

extension [UInt8] {
  /// Appends a value as SQLite's JSON functions write it; a number with a fraction becomes a text of all its digits.
  fileprivate mutating func append(json value: Binding) {
    switch value {
    case .null: self += "null".utf8
    case .integer(let integer): self += String(integer).utf8
    case .real(let number) where number.isNaN: self += "null".utf8
    case .real(let number): append(quoted: SQLiteNumber.text(number + 0.0))
    case .text(let text): append(quoted: text)
    case .utf8(let bytes), .blob(let bytes): append(quoted: String(decoding: bytes, as: UTF8.self))
    }
  }

  private mutating func append(quoted text: String) {
    append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { utf8 in
      guard utf8.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5c }) else { return self += utf8 }
      for byte in utf8 {
        switch byte {
        case 0x22, 0x5c: self += [0x5c, byte]
        case 0x08: self += "\\b".utf8
        case 0x09: self += "\\t".utf8
        case 0x0a: self += "\\n".utf8
        case 0x0c: self += "\\f".utf8
        case 0x0d: self += "\\r".utf8
        case ..<0x20: self += "\\u00\(byte < 16 ? "0" : "1")\(String(byte & 15, radix: 16))".utf8
        default: append(byte)
        }
      }
    }
    append(UInt8(ascii: "\""))
  }
}
