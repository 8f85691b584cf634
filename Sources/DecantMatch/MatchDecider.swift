package import DecantBase
package import DecantSQLite

/// The part of a merge that matching needs: pairs known from a common ancestor, and the outcome for objects that both
/// stores have.
package protocol MatchDecider: AnyObject {
  /// Whether both stores were compared with a common ancestor.
  var hasBase: Bool { get }

  /// The objects that the source changed and the destination removed since the common ancestor, by root entity.
  var contested: [String: KeySet] { get }

  /// Calls `body` with every object of the source that the common ancestor and the destination have, and the method by
  /// which it was found.
  func forEachBasePair(
    of root: String,
    do body: (MatchedPair, ObjectPairs.Found) throws(SQLiteError) -> Void
  ) throws(SQLiteError)

  /// Finds kept copies and their parts, before anything is matched by its links.
  ///
  /// - Parameters:
  ///   - group: The root entities.
  ///   - others: The root entities that are not matched yet: links to them do not count.
  ///   - waitsForTargets: Whether a link to an object without partner is not a difference yet.
  ///   - matcher: The current matching.
  /// - Throws: `DecantError` if a store cannot be read, or no part of an identity can be changed.
  func findKeptCopies(
    among group: [String],
    without others: Set<String>,
    waitsForTargets: Bool,
    of matcher: Matcher
  ) throws(DecantError)

  /// Finds kept copies that were added in an earlier merge: objects with equal content, now that their targets are
  /// known.
  func findEarlierKeptCopies(among group: [String], of matcher: Matcher) throws(DecantError)

  /// Decides the outcome for the objects of `name` that both stores have.
  func choose(_ name: String, of matcher: Matcher) throws(DecantError)

  /// Throws if a new object of `name` cannot exist beside one of another entity.
  func check(_ name: String, of matcher: Matcher) throws(DecantError)
}

extension MatchDecider {
  /// Finds kept copies and their parts, with every link counting.
  func findKeptCopies(among group: [String], without others: Set<String>, of matcher: Matcher) throws(DecantError) {
    try findKeptCopies(among: group, without: others, waitsForTargets: false, of: matcher)
  }
}
