internal import SQLite

/// Finds out what the values of a statement's columns are: whose attribute's, where they are one's.
///
/// SQLite tells it of a column that is taken from a table as it is. `max(created)` is computed, but
/// a date like `created`; so is `coalesce(modified, created)` if both are dates. Therefore each call
/// that hands on one of its arguments is replaced by one of them, in every combination, and the
/// statements that come of it are compiled and never run; a column has a type if all of them agree.
/// A compound SELECT is replaced by its parts in the same way, as SQLite tells of one part alone.
struct ColumnTypes {
  let scratch: Connection
  let views: EntityViews

  /// More combinations than this are not tried: the columns then have no type.
  private static let limit = 64

  /// Returns the type of each column of `statement`, which was compiled from `tokens`.
  func types(of statement: Statement, _ tokens: SQLTokens) -> [ColumnType?] {
    let variants = SQLVariants(tokens.tokens, limit: ColumnTypes.limit)
    let own = types(of: statement)
    guard variants.hasCompounds || own.contains(nil) else { return own }
    guard let agreed = agreedTypes(of: variants, count: own.count) else {
      // What SQLite tells of a compound is true of one part alone.
      return variants.hasCompounds ? own.map { _ in nil } : own
    }
    return variants.hasCompounds ? agreed : zip(own, agreed).map { $0 ?? $1 }
  }

  private func agreedTypes(of variants: SQLVariants, count: Int) -> [ColumnType?]? {
    guard let texts = variants.texts else { return nil }
    var agreed: [ColumnType?]?
    for text in texts {
      // A replacement may be no statement any more; then nothing can be said.
      guard let variant = try? scratch.prepare(text), variant.columnCount == count else {
        return nil
      }
      let types = types(of: variant)
      agreed = agreed.map { zip($0, types).map { $0 == $1 ? $0 : nil } } ?? types
    }
    return agreed
  }

  private func types(of statement: Statement) -> [ColumnType?] {
    (0..<statement.columnCount).map { position in
      guard let origin = statement.origin(at: position) else { return nil }
      return views[origin.table]?.columns.first { $0.name == origin.column }?.type
    }
  }
}
