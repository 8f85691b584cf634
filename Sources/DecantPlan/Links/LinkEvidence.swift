package import DecantBase
package import DecantStore

/// What speaks for it that a column holds keys although nothing declares it.
package struct LinkEvidence {
  /// How much it is.
  package enum Weight {
    /// A name that points to a table and values that are its keys, or a type and a key side by side.
    case strong
    /// Values alone.
    case weak
  }

  /// A table whose keys the values are.
  package struct Target {
    package let root: String
    package let reason: LinkHint.Reason?
    /// How many values are keys, how many different ones, and how many keys the table has.
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
  /// How many values are positive integers.
  package let valueCount: Int64
  /// The likeliest table.
  package private(set) var target: Target
  /// Other tables whose keys the values are, too.
  package private(set) var others: [Target]
  /// The column that names the table of each key: one beside it, or itself where a text stands before the key.
  package let typeColumn: String?
  /// The types that this one names; none where there is no such column.
  package let types: [LinkType]

  /// Whether other tables are as likely, for all that is known.
  package var isAmbiguous: Bool {
    weight == .strong && !others.isEmpty && typeColumn == nil && !isKey && !isSole
  }
  /// Whether more than the values speaks for the likeliest of several tables.
  package var isSole = false
  /// The links of which one may be meant, likeliest first.
  var choices: [String] {
    ([target] + others).prefix(LinkEvidence.otherCount + 1).map { "\(column) -> \($0.root)" }
  }

  /// Whether a text holds several keys: such a column cannot be renumbered.
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

  /// The same as a note, however much it is.
  package var asNote: LinkEvidence {
    var evidence = self
    evidence.weight = .weak
    return evidence
  }

  /// Whether a text stands before each key.
  package var hasPrefixes: Bool { types.contains { $0.condition.keyPrefix != nil } }

  /// What says that it is a link: one for each type where a column beside it tells that.
  ///
  /// - Parameter portable: Whether conditions have to mean the same in another database.
  /// - Returns: The links, as the command line and links files have them.
  package func links(portable: Bool = false) -> [String] {
    types.isEmpty
      ? ["\(column) -> \(target.root)"] : types.map { $0.link(column, portable: portable) }
  }

  /// The evidence, as a part of a sentence.
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

  /// How many other tables are named.
  private static let otherCount = 8

  /// Other tables whose keys values are, likeliest first.
  private static func also(_ tables: [String]) -> String {
    guard !tables.isEmpty else { return "" }
    let names = tables.prefix(otherCount).joined(separator: ", ")
    return " (also keys of \(names)\(tables.count > otherCount ? ", …" : ""))"
  }

  private static func share(_ count: Int64, of all: Int64) -> String {
    if all == 1 { return "its only value is among the" }
    return count == all ? "all \(all) values are" : "\(count) of \(all) values are"
  }

  /// Returns the evidence that the column leads to `root` instead, one of the other tables; else the same.
  package func leading(to root: String) -> LinkEvidence {
    guard let place = others.firstIndex(where: { $0.root == root }) else { return self }
    var evidence = self
    swap(&evidence.target, &evidence.others[place])
    return evidence
  }
}
