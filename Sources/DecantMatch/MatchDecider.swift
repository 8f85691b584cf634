package import DecantBase
package import DecantSQLite

/// What a merge adds to matching: pairs that are known from a common ancestor, and what becomes of objects that both
/// stores have.
package protocol MatchDecider: AnyObject {
  /// Whether both stores were compared with a common ancestor.
  var hasBase: Bool { get }

  /// Objects of the source that it has changed, and the destination has removed, since the common ancestor, by root entity.
  var contested: [String: KeySet] { get }

  /// Calls `body` with every object of the source that the common ancestor and the destination have, and by what it was
  /// found.
  func forEachBasePair(
    of root: String,
    do body: (MatchedPair, ObjectPairs.Found) throws(SQLiteError) -> Void
  ) throws(SQLiteError)

  /// Finds the objects that stay beside their like, and what belongs to them, before anything is matched by
  /// what it leads to.
  ///
  /// - Parameters:
  ///   - group: The root entities.
  ///   - others: Root entities that are not matched yet: what leads to them does not count.
  ///   - waitsForTargets: Whether a link to an object that has no partner yet is no difference.
  ///   - matcher: The matching that is under way.
  /// - Throws: `DecantError` where a store cannot be read, or nothing of an identity can be made another.
  func findKeptCopies(
    among group: [String],
    without others: Set<String>,
    waitsForTargets: Bool,
    of matcher: Matcher
  ) throws(DecantError)

  /// Finds out which objects that stay beside their like came there in an earlier merge: those that hold the same, now
  /// that it is known what they lead to.
  func findEarlierKeptCopies(among group: [String], of matcher: Matcher) throws(DecantError)

  /// Decides what becomes of the objects of `name` that both stores have.
  func choose(_ name: String, of matcher: Matcher) throws(DecantError)

  /// Throws where a new object of `name` cannot be there beside one of another entity.
  func check(_ name: String, of matcher: Matcher) throws(DecantError)
}

extension MatchDecider {
  /// The same where every link counts.
  func findKeptCopies(among group: [String], without others: Set<String>, of matcher: Matcher) throws(DecantError) {
    try findKeptCopies(among: group, without: others, waitsForTargets: false, of: matcher)
  }
}
