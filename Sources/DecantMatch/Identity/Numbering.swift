internal import DecantSQLite

/// The numbering of new objects, together for tables that share their keys.
struct Numbering {
  let form: IDMap.Form
  /// The keys among which ranks are counted; `nil` for the map's own.
  var ranked: KeySet?

  /// Creates a numbering by `form`.
  init(_ form: IDMap.Form) { self.form = form }

  /// Creates the numbering of new objects in a merge: an object keeps a key that is free in the destination, the others
  /// follow after the highest key of all.
  ///
  /// It is `nil` if there are not enough keys left.
  ///
  /// - Parameters:
  ///   - fresh: The keys of the new objects.
  ///   - counter: The highest key that the destination has allocated; `nil` for a new one.
  ///   - taken: The keys up to the counter that are not free; `nil` for all of them.
  ///   - connection: The connection for sets of keys.
  /// - Throws: `SQLiteError` if the keys cannot be read.
  init?(merging fresh: KeySet, counter: Int64?, taken: KeySet?, on connection: Connection) throws(SQLiteError) {
    guard let counter, let bounds = try fresh.bounds(), bounds.lowerBound <= counter else {
      self.init(.keep)
      return
    }
    let (kept, others) = (try KeySet(like: fresh, on: connection), try KeySet(like: fresh, on: connection))
    try fresh.forEach { key throws(SQLiteError) in
      let isTaken = key > counter ? false : try taken?.contains(key) ?? true
      try (isTaken ? others : kept).insert(key)
    }
    guard others.count > 0 else {
      self.init(.keep)
      return
    }
    for keys in [kept, others] { try keys.seal() }
    let top = max(counter, bounds.upperBound)
    guard !top.addingReportingOverflow(others.count).overflow else { return nil }
    self.init(.rank(top, kept: kept))
    ranked = others
  }
}
