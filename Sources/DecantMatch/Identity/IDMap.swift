package import DecantSQLite

/// A map from the keys of one root entity's objects in the source to their keys in the destination.
package final class IDMap {
  /// The relation between new and old keys: the cheapest form that fits.
  package enum Form {
    /// The same key: the destination is empty, or the ranges do not overlap.
    case keep
    /// The old key plus this number: beyond the highest key that the destination ever allocated.
    case shift(Int64)
    /// The object's rank among the source's new keys plus this number, except for kept keys.
    case rank(Int64, kept: KeySet?)
    /// The runs of a kept ID table.
    case listed(KeyRuns)
    /// The pairs of matched objects.
    case stored(StoredPairs)
  }

  /// The values in links that are kept although they are not an object's key.
  package enum UnresolvedKeys: Sendable, Hashable {
    /// All: keys are kept and the destination has no other objects.
    case all
    /// Non-integers, and integers below this number: no object has or will get such a key.
    case below(Int64)
  }

  package let root: String
  package let form: Form
  /// All objects of the source.
  package let existing: KeySet
  /// The objects that will exist in the destination; the same set without a selection.
  package let included: KeySet
  /// The objects written as new ones: all included ones, unless objects are merged.
  package let fresh: KeySet
  /// The keys among which the rank of new objects is counted: those of all tables with the same key space, without kept
  /// ones.
  let ranked: KeySet
  /// The objects that already exist in the destination, if objects are merged.
  package let matchedObjects: MatchedObjects?
  /// The objects written without values, as targets of links, if there are any.
  package let stubs: KeySet?
  /// The pairs of new objects that continue existing ones under their keys.
  package let continued: StoredPairs?
  /// The handling of values in links of `keepsUnresolvedKeys` that are not an object's key.
  package var unresolvedKeys = UnresolvedKeys.all
  /// The objects that were rejected during the copy.
  @exclusivity(unchecked) package private(set) var exceptions: KeySet?

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

  /// Returns the same map with another numbering of its objects.
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

  /// Returns the same map for another thread; `nil` if the thread would need this one's connection, or if objects were
  /// joined or rejected.
  func forAnotherThread() -> IDMap? {
    guard matchedObjects == nil, continued == nil, stubs == nil, exceptions == nil else { return nil }
    var sets = [existing, included, fresh, ranked]
    switch form {
    case .stored: return nil
    case .rank(_, let kept?): sets.append(kept)
    case .keep, .shift, .rank, .listed: break
    }
    guard sets.allSatisfy(\.isInMemory) else { return nil }
    let map = IDMap(root: root, form: form, existing: existing, included: included, fresh: fresh, ranked: ranked)
    map.unresolvedKeys = unresolvedKeys
    return map
  }

  /// Whether every object of the source becomes a new one.
  package var isWhole: Bool { existing === fresh && exceptions == nil }

  /// Whether the keys of objects may change.
  var mayChange: Bool {
    if case .keep = form { matchedObjects != nil || continued != nil } else { true }
  }

  /// Whether objects of the source are left out, whose keys are then free, or those of other objects.
  var leavesOut: Bool { included !== existing }

  /// Returns whether the key of any object changes.
  package func changesKeys() throws(SQLiteError) -> Bool {
    guard mayChange else { return false }
    var changes = false
    try included.forEach { key throws(SQLiteError) in
      if !changes, let other = try destination(of: key) { changes = other != key }
    }
    return changes
  }

  /// Excludes the objects in `keys` from now on: no link leads to them any more.
  package func except(_ keys: KeySet?) { exceptions = keys }

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

  /// Returns whether the object with `key` in the source is written as a new one.
  func isNew(_ key: Int64) throws(SQLiteError) -> Bool {
    guard try fresh.contains(key) else { return false }
    guard let exceptions else { return true }
    return try !exceptions.contains(key)
  }

  /// Returns the key in the source of the object with `key` in the destination; `nil` for an object that existed
  /// before.
  package func source(of key: Int64) throws(SQLiteError) -> Int64? {
    if let origin = try continued?.source(of: key), try fresh.contains(origin) { return origin }
    let origin: Int64? =
      switch form {
      case .keep: key
      case .shift(let distance): key &- distance
      case .rank(let start, _): key <= start ? key : try ranked.key(at: key &- start &- 1)
      // A run includes keys without object, and several objects may have become one.
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

  /// Returns the highest key allocated in the destination, or `nil` if nothing is copied.
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

  /// Returns the lowest new key that is the same as in the source, or `nil` if there is none.
  package func lowestKept() throws(SQLiteError) -> Int64? {
    switch form {
    case .keep: try fresh.bounds()?.lowerBound
    case .rank(_, let kept): try kept?.bounds()?.lowerBound
    case .shift, .listed, .stored: nil
    }
  }

  /// Gaps between keys are not kept if the range is wider than this, and than a thousand numbers for each key.
  private static let widest: Int64 = 1_000_000

  /// Returns the form for `count` keys within `bounds` in a destination that has allocated keys up to `counter`; `nil`
  /// for a new one.
  static func form(bounds: ClosedRange<Int64>?, count: Int64, counter: Int64?) -> Form {
    guard let counter, let bounds, bounds.lowerBound <= counter else { return .keep }
    // Keys start above the counter, whatever gaps are below it: there may still be references to a key that was once
    // allocated.
    let room = min(bounds.lowerBound, 1)
    let distance = (counter &+ 1).subtractingReportingOverflow(room)
    let width = bounds.upperBound.subtractingReportingOverflow(bounds.lowerBound)
    let isWide = width.overflow || width.partialValue > widest && width.partialValue / 1_000 > count
    guard counter < Int64.max, !isWide, !distance.overflow,
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
