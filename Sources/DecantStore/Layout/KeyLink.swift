/// A link that cannot be emptied without destroying the key of the row that holds it: the row is copied only together
/// with its target.
package struct KeyLink: Sendable, Hashable {
  /// Where the target's key is.
  package enum End: Sendable, Hashable {
    /// It is the row's own key.
    case key
    /// It is in this column, which is part of the row's key.
    case column(RelationColumn)
    /// The target is the row with the same values.
    case values(NonIntegerKey)
  }

  /// The root entity of the row.
  package let root: String
  package let end: End
  /// The root entity of the target.
  package let targetRoot: String
}

extension Layout {
  /// Returns the links that are part of the key of the rows of `relation`.
  package func keyLinks(of relation: Relation) -> [KeyLink] {
    let columns = relation.columns.compactMap { column -> KeyLink? in
      guard let target = column.targetRoot else { return nil }
      if column.columnRole.isKey { return KeyLink(root: relation.root, end: .key, targetRoot: target) }
      guard relation.keyColumns.contains(column.name) else { return nil }
      return KeyLink(root: relation.root, end: .column(column), targetRoot: target)
    }
    let values = (nonIntegerKeys + partialLinks).filter { link in
      link.root == relation.root && link.columns.contains { relation.keyColumns.contains($0) }
        && emptiedColumns(of: link, in: relation).isEmpty
    }
    return columns + values.map { KeyLink(root: relation.root, end: .values($0), targetRoot: $0.targetRoot) }
  }

  /// Returns the columns of `holder` to set to null to remove a link by values.
  ///
  /// These are not part of the row's key, may be null, and are not part of another link of the row, if possible. There
  /// are none if the row needs the link.
  package func emptiedColumns(of link: NonIntegerKey, in holder: Relation) -> [String] {
    let free = link.columns.filter { !holder.keyColumns.contains($0) && !link.requiredColumns.contains($0) }
    let others =
      nonIntegerKeys.filter { $0.root == link.root && $0 != link }.flatMap(\.columns)
      + holder.columns.filter { $0.targetRoot != nil }.map(\.name)
    let own = free.filter { !others.contains($0) }
    return own.isEmpty ? free : own
  }
}

extension Relation {
  /// The columns of the primary key of a plain table, unless that is one integer that identifies the row.
  package var keyColumns: [String] {
    if case .values(let columns) = key { columns } else { ownKey }
  }
}
