package import DecantBase
package import DecantStore

/// The evidence that a column contains keys without a declaration.
package struct LinkEvidence {
  /// The weight of the evidence.
  package enum Weight {
    /// A name that suggests a table with the values as keys, or a type and a key side by side.
    case strong
    /// Values alone, or few values in a column with a name that says little.
    case weak
  }

  /// A table with the values as keys.
  package struct Target {
    package let root: String
    package let reason: LinkHint.Reason?
    /// The number of values that are keys, of different ones, and of keys in the table.
    package let hitCount: Int64
    package let distinctCount: Int64
    package let keyCount: Int64

    package init(root: String, reason: LinkHint.Reason?, hitCount: Int64, distinctCount: Int64, keyCount: Int64) {
      (self.root, self.reason, self.hitCount) = (root, reason, hitCount)
      (self.distinctCount, self.keyCount) = (distinctCount, keyCount)
    }
  }

  package let column: Property
  /// Whether the column is the key of its own table.
  package let isKey: Bool
  package private(set) var weight: Weight
  /// The number of values that are positive integers.
  package let valueCount: Int64
  /// The most likely table.
  package private(set) var target: Target
  /// Other tables with the values as keys.
  package private(set) var others: [Target]
  /// The column that names the table of each key: another one, or the column itself if a prefix does.
  package let typeColumn: String?
  /// The types in this column; empty if there is no such column.
  package let types: [LinkType]

  /// Whether other tables are equally likely.
  package var isAmbiguous: Bool {
    weight == .strong && !others.isEmpty && typeColumn == nil && !isKey && !isSole
  }
  /// Whether more than the values supports the most likely of several tables.
  package var isSole = false
  /// The possible links, most likely first.
  var choices: [String] {
    ([target] + others).prefix(LinkEvidence.otherCount + 1).map { "\(column) -> \($0.root)" }
  }

  /// Whether a text contains several keys: such a column cannot be renumbered.
  package var isList = false

  package init(
    column: Property,
    isKey: Bool,
    weight: Weight,
    valueCount: Int64,
    target: Target,
    others: [Target],
    typeColumn: String?,
    types: [LinkType],
    isSole: Bool = false,
    isList: Bool = false
  ) {
    (self.column, self.isKey, self.weight) = (column, isKey, weight)
    (self.valueCount, self.target, self.others) = (valueCount, target, others)
    (self.typeColumn, self.types, self.isSole) = (typeColumn, types, isSole)
    self.isList = isList
  }

  /// The same evidence as a note, whatever its weight.
  package var asNote: LinkEvidence {
    var evidence = self
    evidence.weight = .weak
    return evidence
  }

  /// Whether each key has a prefix.
  package var hasPrefixes: Bool { types.contains { $0.condition.keyPrefix != nil } }

  /// Returns the declarations of the link: one for each type if a type column decides the table.
  ///
  /// - Parameter portable: Whether conditions must be valid in another database, too.
  /// - Returns: The links, in the syntax of the command line and links files.
  package func links(portable: Bool = false) -> [String] {
    types.isEmpty
      ? ["\(column) -> \(target.root)"] : types.map { $0.link(column, portable: portable) }
  }

  /// The evidence as part of a sentence.
  package var text: String {
    if let typeColumn, types.contains(where: { $0.keys != nil }) {
      return types.compactMap { type in
        type.keys.map { keys in
          "where \(typeColumn) is “\(type.name)” \(hasPrefixes ? "and a number " : "")"
            + LinkEvidence.share(type.hitCount, of: type.valueCount)
            + " keys of \(keys.root), \(keys.distinctCount) of \(keys.keyCount)"
            + LinkEvidence.also(type.others)
        }
      }.joined(separator: ", ")
    }
    if let typeColumn {
      let named = types.map { type in
        let rows = type.valueCount.counted("row")
        return type.root.map { "\($0) (\(rows))" }
          ?? "“\(type.name)” (\(rows), no such table)"
      }
      return "\(typeColumn) names the table of each key: \(named.joined(separator: ", "))"
    }
    let name: String? =
      switch target.reason {
      case .table: "its name contains the table's name"
      case .word: "its last word is the table's name"
      case .part: "the table's name begins with its name"
      case .key: "it has the name of the table's key"
      case .person: "its name suggests a person"
      case .sameTable: "its name suggests another row of the same table"
      case .rowKind: "its name suggests rows of that table"
      case .setting: "a known program stores a key there"
      case .holder: "the name of its table contains the table's name"
      case nil: nil
      }
    let values =
      LinkEvidence.share(target.hitCount, of: valueCount) + " keys there, "
      + "\(target.distinctCount) of \(target.keyCount)"
    let also = LinkEvidence.also(others.map(\.root))
    if isList { return "lists of numbers, and \(values)\(also)" }
    return (name.map { "\($0), and \(values)" } ?? values) + also
  }

  /// The maximum number of other tables that are named.
  private static let otherCount = 8

  /// Returns the text for other tables with the values as keys, most likely first.
  private static func also(_ tables: [String]) -> String {
    guard !tables.isEmpty else { return "" }
    let names = tables.prefix(otherCount).joined(separator: ", ")
    return " (also keys of \(names)\(tables.count > otherCount ? ", …" : ""))"
  }

  private static func share(_ count: Int64, of all: Int64) -> String {
    if all == 1 { return "its only value is among the" }
    return count == all ? "all \(all) values are" : "\(count) of \(all) values are"
  }

  /// Returns the evidence with `root`, one of the other tables, as target; unchanged if it is not among them.
  package func leading(to root: String) -> LinkEvidence {
    guard let place = others.firstIndex(where: { $0.root == root }) else { return self }
    var evidence = self
    swap(&evidence.target, &evidence.others[place])
    return evidence
  }
}
