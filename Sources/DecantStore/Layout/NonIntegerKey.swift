package import DecantBase
internal import DecantSQLite

/// A link by values: columns that equal those of a row of another table.
///
/// The values are copied unchanged, so the link leads to the copy of the same row.
package struct NonIntegerKey: Sendable, Hashable {
  /// The relationship, with the entity whose rows contain the values.
  package var relationship: Property
  /// The root entity whose rows contain the values.
  package var root: String
  /// The columns with the values.
  package var columns: [String]
  /// The root entity of the target rows.
  package var targetRoot: String
  /// The target columns, in the same order.
  package var targetColumns: [String]

  /// Whether every row needs the link: none of the columns may be null.
  package var isRequired = false
  /// The columns that must not be null.
  package var requiredColumns: Set<String> = []
  /// The foreign key's action when the target row is deleted.
  package var onDelete: DeleteRule?
  /// Whether the row is deleted along with the target.
  package var isOwned: Bool { onDelete == .cascade }

  /// Whether the row is deleted along with the target, or cannot exist without it.
  package var isBound: Bool { isOwned || isRequired }

  /// How the destination compares each value, if it does not compare texts as they are; otherwise empty.
  package var comparisons: [ValueComparison] = []

  /// Describes a link; a row with a null in one of the columns has none.
  package init(_ relationship: Property, root: String, columns: [String], targetRoot: String, targetColumns: [String]) {
    self.relationship = relationship
    self.root = root
    self.columns = columns
    self.targetRoot = targetRoot
    self.targetColumns = targetColumns
  }

  /// Returns the SQL conditions that the row of `target` is the target of `holder`; both are table names.
  ///
  /// The target is on the left: values are compared by its collation, as in a foreign key.
  package func conditions(holder: String, target: String) -> [String] {
    zip(columns, targetColumns).map { own, other in
      "\(target).\(other.sqlName) = \(holder).\(own.sqlName)"
    }
  }

  /// Returns the values of the row `holder`, and those of a row `target`, as the destination compares them; `nil` if it
  /// compares texts as they are.
  package func compared(holder: String, target: String) -> (holder: [String], target: [String])? {
    guard !comparisons.isEmpty else { return nil }
    func values(_ columns: [String], of row: String) -> [String] {
      zip(columns, comparisons).map { column, comparison in comparison.compared("\(row).\(column.sqlName)") }
    }
    return (values(columns, of: holder), values(targetColumns, of: target))
  }
}

/// How a column compares its values.
package struct ValueComparison: Sendable, Hashable {
  /// The spelling of a server's type, in which other spellings of a value are the same.
  fileprivate let spelling: ValueSpelling?
  /// The function by which its unique index ignores differences, such as `lower`.
  private let folding: String?

  /// Describes a column.
  fileprivate init(_ column: RelationColumn?) {
    (spelling, folding) = (column?.encoding.unlimited.serverSpelling, column?.foldingFunction)
  }

  /// Whether values are equal only if they are the same.
  fileprivate var isExact: Bool { spelling?.hasOthers != true && folding == nil }

  /// Returns SQL that is equal for values that are equal in the column.
  fileprivate func compared(_ value: String) -> String {
    let spelled = spelling.map { ValueEncoding.spelled($0).spelling(value) } ?? value
    return folding.map { "\($0)(\(spelled))" } ?? spelled
  }
}

extension Layout {
  /// Makes links by values lead where they do in `other`, to which they are written.
  package mutating func compareLinks(like other: Layout) {
    func comparisons(_ link: NonIntegerKey) -> [ValueComparison] {
      guard
        let (target, there) = relation(of: link.targetRoot).flatMap({ target in
          other.relation(of: target.root).map { (target, $0) }
        })
      else { return [] }
      let found = link.targetColumns.map { name in
        ValueComparison(target.columns.first { $0.name == name }.flatMap { there.column($0.columnRole) })
      }
      let isOnServer = found.contains { $0.spelling != nil }
      return isOnServer && !found.allSatisfy(\.isExact) ? found : []
    }
    for index in nonIntegerKeys.indices { nonIntegerKeys[index].comparisons = comparisons(nonIntegerKeys[index]) }
    for index in partialLinks.indices { partialLinks[index].comparisons = comparisons(partialLinks[index]) }
  }
}
