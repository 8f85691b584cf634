internal import DecantBase
internal import DecantPlan

/// The possible target tables of links, found by column names.
///
/// A database may have thousands of columns, each of which may point to any table, so names are split only once.
struct LinkTargets {
  /// A table with a key that links can hold.
  struct Target {
    let table: TableSchema
    let name: TableName
    /// The name of its key, if the key itself is not a link.
    let ownKey: String?
    /// The names of its other columns that end like links, without that ending.
    let links: Set<String>
  }

  /// The tables, in the order of the schema.
  let all: [Target]
  /// The positions of tables of persons.
  let persons: [Int]
  private var places: [String: Int] = [:]
  private var wholes: [String: [Int]] = [:]
  private var lastWords: [String: [Int]] = [:]
  private var lastParts: [String: [Int]] = [:]
  private var endings: [String: [Int]] = [:]
  private var beginnings: [String: [Int]] = [:]
  private var keys: [String: [Int]] = [:]
  private var words: [[String]: [Int]] = [:]

  init(_ schema: PlainSchema, _ domains: KeyDomains) {
    all = schema.readableTables.compactMap { table in
      guard table.virtual == nil, let key = schema.key(of: table), key.isShown else { return nil }
      let isOwn = domains.target(of: key.column, in: table) == nil
      let links = table.columns.filter { $0.name != key.column }.map { LinkName($0.name) }.filter(\.hasSuffix)
      return Target(
        table: table,
        name: TableName(table.name),
        ownKey: isOwn ? key.column.foldedName : nil,
        links: Set(links.map(\.whole))
      )
    }
    persons = all.indices.filter { [all] in LinkName(all[$0].name.text).holdsPersons }
    for (place, target) in all.enumerated() {
      let name = target.name
      places[name.text] = place
      wholes[name.whole, default: []].append(place)
      if let last = name.singulars.last { lastWords[last, default: []].append(place) }
      for count in 1..<max(name.words.count, 1) {
        lastParts[name.part(count), default: []].append(place)
        beginnings[name.words.prefix(count).joined().singular, default: []].append(place)
      }
      for start in name.whole.indices {
        endings[String(name.whole[start...]), default: []].append(place)
      }
      if let key = target.ownKey { keys[key, default: []].append(place) }
      words[name.singulars, default: []].append(place)
    }
  }

  /// Returns the tables whose names match `name` or a part of it, or whose key has that name.
  ///
  /// - Parameters:
  ///   - name: The name of a column.
  ///   - table: The column's table.
  /// - Returns: Their positions, ascending, including the table itself and the tables contained in its name.
  func candidates(_ name: LinkName, in table: TableName) -> [Int] {
    var found = wholes[name.whole] ?? []
    found += lastParts[name.whole] ?? []
    found += lastWords[name.last] ?? []
    found += endings[name.last] ?? []
    if name.hasSuffix { found += beginnings[name.whole] ?? [] }
    for plural in LinkName.plurals(of: name.whole) { found += wholes[plural] ?? [] }
    found += keys[name.text.foldedName] ?? []
    if name.isPerson { found += persons }
    found += places[table.text].map { [$0] } ?? []
    found += named(in: table)
    return Set(found).sorted()
  }

  /// Returns whether the name of `table` contains the names of at least two others.
  func areJoined(by table: TableName) -> Bool {
    named(in: table).count { all[$0].name.text != table.text } > 1
  }

  /// Returns the tables whose names are part of that of `table`, or equal to it.
  private func named(in table: TableName) -> [Int] {
    table.singulars.indices.flatMap { start in
      (start..<table.singulars.count).flatMap { words[Array(table.singulars[start...$0])] ?? [] }
    }
  }

  /// Returns the tables whose names `name` abbreviates to their first one to five letters, as `repo` does `repository`.
  func shortened(by name: LinkName) -> Set<String> {
    guard name.hasSuffix, name.stem.count == 1, 1...5 ~= name.whole.count else { return [] }
    return Set(all.lazy.map(\.name).filter { $0.whole.hasPrefix(name.whole) }.map(\.text))
  }

  /// Returns whether `name` is that of most tables' keys, as `id_local`, and suggests no table.
  func isCommonKey(_ name: LinkName) -> Bool {
    let count = keys[name.text.foldedName]?.count ?? 0
    guard count > 2, count * 2 > all.count else { return false }
    return ![name, LinkName(withoutRow: name.text) ?? name].contains { areCalled($0) || lastWords[$0.last] != nil }
  }

  /// Returns whether `name` is the whole name of a table.
  func areCalled(_ name: LinkName) -> Bool { wholes[name.whole] != nil }
}
