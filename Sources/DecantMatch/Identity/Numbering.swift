internal import DecantSQLite

/// How new objects are numbered, all together where tables share their keys.
struct Numbering {
  let form: IDMap.Form
  /// The keys among which they are counted where the form is their rank; `nil` for a map's own.
  var ranked: KeySet?

  /// Numbers objects by `form`.
  init(_ form: IDMap.Form) { self.form = form }

  /// Numbers new objects among those that are merged: one keeps a key that is free in the destination, and the others
  /// follow behind the highest key of all.
  ///
  /// It is `nil` where there are not as many keys left.
  ///
  /// - Parameters:
  ///   - fresh: The keys of the new objects.
  ///   - counter: The highest key that the destination has allocated; `nil` for one that is new.
  ///   - taken: The keys up to the counter that are not free; `nil` for all of them.
  ///   - connection: The one on which sets of keys are kept.
  /// - Throws: `SQLiteError` where the keys cannot be read.
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
