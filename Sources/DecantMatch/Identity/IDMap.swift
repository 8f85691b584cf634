package import DecantSQLite

/// From the keys of one root entity's objects in the source to their keys in the destination.
package final class IDMap {
  /// How the new key follows from the old one: the cheapest form that fits.
  package enum Form {
    /// The same key: the destination is empty, or the ranges do not meet.
    case keep
    /// The old key plus this: beyond the highest key the destination ever allocated.
    case shift(Int64)
    /// The object's place among the source's new keys plus this, but for those that are kept.
    case rank(Int64, kept: KeySet?)
    /// As a kept ID table says, run by run.
    case listed(KeyRuns)
    /// Pair by pair, as objects were matched.
    case stored(StoredPairs)
  }

  /// Which values in links stay as they are although no object has them for its key.
  package enum UnresolvedKeys: Sendable, Hashable {
    /// All: keys are kept and nothing else is there.
    case all
    /// What is no integer, and integers below this: no object has, or will get, such a key.
    case below(Int64)
  }

  package let root: String
  package let form: Form
  /// Every object of the source.
  package let existing: KeySet
  /// Those that have an object in the destination afterwards; the same set where nothing is chosen.
  package let included: KeySet
  /// Those that are written as new objects: all that are included, unless objects are merged.
  package let fresh: KeySet
  /// The keys among which new objects are counted where the form is their rank: those of all tables that share them,
  /// without the kept ones.
  let ranked: KeySet
  /// Those that the destination has already, where objects are merged.
  package let matchedObjects: MatchedObjects?
  /// Those that are written without their values, for links to lead to, where there are any.
  package let stubs: KeySet?
  /// The keys of new objects that continue ones which the destination has, in a table of their own.
  package let continued: StoredPairs?
  /// What becomes of values in links of `keepsUnresolvedKeys` that are no object's key.
  package var unresolvedKeys = UnresolvedKeys.all
  /// Those that were to be copied and turned out not to be: rejected ones.
  package private(set) var exceptions: KeySet?

  package init(
    root: String,
    form: Form,
    existing: KeySet,
    included: KeySet,
    fresh: KeySet? = nil,
    ranked: KeySet? = nil,
    matchedObjects: MatchedObjects? = nil,
    stubs: KeySet? = nil,
    continued: StoredPairs? = nil
  ) {
    self.root = root
    self.form = form
    self.existing = existing
    self.included = included
    self.fresh = fresh ?? included
    self.ranked = ranked ?? self.fresh
    self.matchedObjects = matchedObjects
    self.stubs = stubs
    self.continued = continued
  }

  /// The same map with its objects numbered in another way.
  func numbered(by numbering: Numbering) -> IDMap {
    IDMap(
      root: root,
      form: numbering.form,
      existing: existing,
      included: included,
      fresh: fresh,
      ranked: numbering.ranked,
      matchedObjects: matchedObjects,
      stubs: stubs,
      continued: continued
    )
  }

  /// Whether every object of the source becomes a new one.
  package var isWhole: Bool { existing === fresh && exceptions == nil }

  /// Whether an object may get another key than it has.
  var mayChange: Bool {
    if case .keep = form { matchedObjects != nil || continued != nil } else { true }
  }

  /// Whether an object gets another key than it has.
  package func changesKeys() throws(SQLiteError) -> Bool {
    guard mayChange else { return false }
    var changes = false
    try included.forEach { key throws(SQLiteError) in
      if !changes, let other = try destination(of: key) { changes = other != key }
    }
    return changes
  }

  /// Leaves out the objects in `keys` from now on: no link leads to them any more.
  package func except(_ keys: KeySet) { exceptions = keys }

  /// Returns the key in the destination, or `nil` for an object that is not copied.
  package func destination(of key: Int64) throws(SQLiteError) -> Int64? {
    guard try included.contains(key) else { return nil }
    if let exceptions, try exceptions.contains(key) { return nil }
    if let matchedObjects {
      if try matchedObjects.matched.contains(key) { return try matchedObjects.destination(of: key) }
      if try matchedObjects.duplicates.contains(key) {
        return try matchedObjects.representative(of: key).flatMap { representative throws(SQLiteError) in
          try destination(of: representative)
        }
      }
    }
    if let image = try continued?.destination(of: key) { return image }
    return switch form {
    case .keep: key
    case .shift(let distance): key &+ distance
    case .rank(let start, let kept):
      try kept?.contains(key) == true ? key : start &+ 1 &+ ranked.rank(of: key)
    case .listed(let runs): runs.destination(of: key)
    case .stored(let pairs): try pairs.destination(of: key)
    }
  }

  /// Whether the object with `key` in the source is written as a new one.
  func isNew(_ key: Int64) throws(SQLiteError) -> Bool {
    guard try fresh.contains(key) else { return false }
    guard let exceptions else { return true }
    return try !exceptions.contains(key)
  }

  /// Returns the key in the source of the object that has `key` in the destination; `nil` for one that
  /// was there before.
  package func source(of key: Int64) throws(SQLiteError) -> Int64? {
    if let origin = try continued?.source(of: key), try fresh.contains(origin) { return origin }
    let origin: Int64? =
      switch form {
      case .keep: key
      case .shift(let distance): key &- distance
      case .rank(let start, _): key <= start ? key : try ranked.key(at: key &- start &- 1)
      // A run goes on over keys without object, and several objects may have become one.
      case .listed(let runs): try origin(of: key, among: runs.sources(of: key))
      case .stored(let pairs): try pairs.source(of: key)
      }
    guard let origin, try fresh.contains(origin), try destination(of: origin) == key else {
      return nil
    }
    return origin
  }

  private func origin(of key: Int64, among candidates: [Int64]) throws(SQLiteError) -> Int64? {
    for candidate in candidates where try fresh.contains(candidate) { return candidate }
    return nil
  }

  /// Returns the highest key allocated in the destination, or `nil` where nothing is copied.
  package func highestDestination() throws(SQLiteError) -> Int64? {
    guard let bounds = try fresh.bounds() else { return nil }
    return switch form {
    case .keep: bounds.upperBound
    case .shift(let distance): bounds.upperBound &+ distance
    case .rank(let start, _): start &+ ranked.count
    case .listed(let runs): runs.highestDestination
    case .stored(let pairs): try pairs.highestDestination()
    }
  }

  /// The lowest new key that is the same as in the source, or `nil` where none is.
  package func lowestKept() throws(SQLiteError) -> Int64? {
    switch form {
    case .keep: try fresh.bounds()?.lowerBound
    case .rank(_, let kept): try kept?.bounds()?.lowerBound
    case .shift, .listed, .stored: nil
    }
  }

  /// Chooses the form for keys of `bounds` in a destination that has allocated keys up to `counter`;
  /// `nil` for one that is new.
  static func form(bounds: ClosedRange<Int64>?, counter: Int64?) -> Form {
    guard let counter, let bounds, bounds.lowerBound <= counter else { return .keep }
    // Keys start above the counter whatever gaps lie below it: a key that was once allocated may
    // still be meant by somebody.
    let room = min(bounds.lowerBound, 1)
    let distance = (counter &+ 1).subtractingReportingOverflow(room)
    guard counter < Int64.max, !distance.overflow,
      !bounds.upperBound.addingReportingOverflow(distance.partialValue).overflow
    else { return .rank(counter, kept: nil) }
    return .shift(distance.partialValue)
  }
}

extension IDMap.Form: CustomStringConvertible {
  package var description: String {
    switch self {
    case .keep: "keep"
    case .shift(let distance): "shift by \(distance)"
    case .rank(let start, _): "numbered from \(start + 1)"
    case .listed(let runs): "\(runs.count) runs of a kept ID table"
    case .stored: "pairs of matched objects"
    }
  }
}
