/// What speaks for it that a column holds keys although nothing declares it.
struct LinkEvidence {
  /// How much it is.
  enum Weight {
    /// A name that points to a table and values that are its keys, or a type and a key side by side.
    case strong
    /// Values alone.
    case weak
  }

  /// A table whose keys the values are.
  struct Target {
    let root: String
    let reason: LinkHint.Reason?
    /// How many values are keys, how many different ones, and how many keys the table has.
    let hitCount: Int64
    let distinctCount: Int64
    let keyCount: Int64
  }

  let column: Property
  /// Whether the column is the key of its own table.
  let isKey: Bool
  let weight: Weight
  /// How many values are positive integers.
  let valueCount: Int64
  /// The likeliest table.
  private(set) var target: Target
  /// Other tables whose keys the values are, too.
  private(set) var others: [Target]
  /// The column beside it that names the table of each key.
  let typeColumn: String?
  /// The types that this one names; none where there is no such column.
  let types: [LinkType]

  /// What says that it is a link: one for each type where a column beside it tells that.
  ///
  /// - Parameter portable: Whether conditions have to mean the same in another database.
  /// - Returns: The links, as the command line and links files have them.
  func links(portable: Bool = false) -> [String] {
    types.isEmpty
      ? ["\(column) -> \(target.root)"] : types.map { $0.link(column, portable: portable) }
  }

  /// The evidence, as a part of a sentence.
  var text: String {
    if let typeColumn, types.contains(where: { $0.keys != nil }) {
      return types.compactMap { type in
        type.keys.map { keys in
          "where \(typeColumn) is “\(type.name)” "
            + LinkEvidence.share(type.hitCount, of: type.valueCount)
            + " keys of \(keys.root), \(keys.distinctCount) of \(keys.keyCount)"
        }
      }.joined(separator: ", ")
    }
    if let typeColumn {
      let named = types.map { type in
        let rows = type.valueCount.counted("row")
        return type.root.map { "\($0) (\(rows))" }
          ?? "“\(type.name)” (\(rows), no table is called so)"
      }
      return "\(typeColumn) names the table of each key: \(named.joined(separator: ", "))"
    }
    let name: String? =
      switch target.reason {
      case .table: "its name contains the table's name"
      case .key: "it has the name of the table's key"
      case .person: "its name stands for a person"
      case .sameTable: "its name stands for another row of the table"
      case .rowKind: "its name is that of rows there"
      case .holder: "the name of its table contains the table's name"
      case nil: nil
      }
    let values =
      LinkEvidence.share(target.hitCount, of: valueCount) + " keys there, "
      + "\(target.distinctCount) of \(target.keyCount)"
    let also =
      others.isEmpty
      ? "" : " (keys of \(others.prefix(3).map(\.root).joined(separator: ", ")), too)"
    return (name.map { "\($0), and \(values)" } ?? values) + also
  }

  private static func share(_ count: Int64, of all: Int64) -> String {
    if all == 1 { return "its only value is among the" }
    return count == all ? "all \(all) values are" : "\(count) of \(all) values are"
  }

  /// Returns the evidence that the column leads to `root` instead, one of the other tables; else the same.
  func leading(to root: String) -> LinkEvidence {
    guard let place = others.firstIndex(where: { $0.root == root }) else { return self }
    var evidence = self
    swap(&evidence.target, &evidence.others[place])
    return evidence
  }
}
