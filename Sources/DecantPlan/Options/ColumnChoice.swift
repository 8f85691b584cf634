package import DecantBase

/// The type of a column of a new table, chosen by the user.
package struct ColumnChoice: Sendable, Hashable {
  /// The attribute, or the table and its column, by the names in the source.
  package var property: Property
  /// The type, in the words of the destination.
  package var type: String

  package init(_ property: Property, type: String) { (self.property, self.type) = (property, type) }
}

extension CopyOptions {
  /// The first option in use that applies only to new tables on a server; `nil` if none is.
  package var columnOption: DecantError.Option? {
    if !columnTypes.isEmpty { return .type }
    if reconnectionTime > .zero { return .reconnect }
    if workerCount > 1 { return .workers }
    return tableNames != .small ? .names : keepsExactDates ? .exactDates : nil
  }
}

/// How new tables on a server are named.
package enum TableNaming: String, Sendable, Hashable, CaseIterable {
  /// In lower case, with underscores between words, so that the names need no quotes in SQL.
  case small
  /// As in the model or the database.
  case model
}
