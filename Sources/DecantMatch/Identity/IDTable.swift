package import DecantBase
package import DecantSQLite

/// The ID table: for every object of the source, its key in the destination.
///
/// It is complete before the first row is written, so forward references, self references and cycles need no second
/// pass. SQL reads it by the function `id`.
package final class IDTable {
  private var maps: [String: IDMap] = [:]
  private var sites: [String: LinkSite] = [:]
  private var refused: Set<String> = []
  private var refusedReferences: (relationships: Set<String>, firstKey: Int64)?
  private var rows: [String: MergeRows] = [:]

  package init() {}

  /// The temporary tables of the hashes by which objects are remembered, by root entity.
  package var stableHashes: [String: TemporaryTable] = [:]
  /// The file of remembered objects.
  package var tombstones: Tombstones?

  /// The changes of both stores since their common ancestor, in a merge with a base.
  package var baseChanges: BaseChanges?

  /// The rows without an integer key that are merged with a base, if any; they are mapped by number.
  package var numberedRows: NumberedRows?

  /// The conflicting changes of both stores, if requested.
  package var conflicts: ConflictLog?

  /// The closure of a partial copy.
  package var closure: Closure?

  /// Adds the destination's rows of an entity without integer key.
  package func add(_ rows: MergeRows, of root: String) { self.rows[root] = rows }

  /// Returns the destination's rows of an entity without integer key.
  func rows(of root: String) -> MergeRows? { rows[root] }

  /// Adds the map of a root entity.
  package func add(_ map: IDMap) { maps[map.root] = map }

  /// Returns a table with the same keys, which another thread can read meanwhile; `nil` unless all keys are in memory,
  /// and no objects are merged or selected.
  package func forAnotherThread() -> IDTable? {
    guard rows.isEmpty, numberedRows == nil, baseChanges == nil, conflicts == nil, closure == nil, tombstones == nil
    else { return nil }
    let table = IDTable()
    for map in maps.values {
      guard let map = map.forAnotherThread() else { return nil }
      table.add(map)
    }
    return table
  }

  /// Removes all maps: a function that reads them keeps them, and their connection, alive.
  package func removeAll() {
    maps = [:]
    sites = [:]
    rows = [:]
    closure = nil
    baseChanges = nil
    conflicts = nil
  }

  /// Returns whether objects of one of these root entities are duplicates of others in the source, or are kept beside
  /// similar ones.
  package func hasJoined(anyOf roots: [String]) -> Bool {
    roots.contains { root in
      guard let matchedObjects = maps[root]?.matchedObjects else { return false }
      return matchedObjects.duplicates.count > 0 || matchedObjects.keptCopies?.count ?? 0 > 0
    }
  }

  /// Returns whether objects of a root entity take some properties of the source and keep others.
  package func mergesByProperty(_ root: String) -> Bool {
    baseChanges?.taken[root]?.isEmpty == false
  }

  /// Returns the map of a root entity.
  package func map(of root: String) -> IDMap? { maps[root] }

  /// Returns the map of a root entity whose objects have keys; `nil` if they are numbered for this run only.
  package func keyMap(of root: String) -> IDMap? {
    numberedRows?.roots.contains(root) == true ? nil : maps[root]
  }

  /// Rejects rows with a link of these relationships whose target is missing, when the link is counted.
  ///
  /// - Parameters:
  ///   - relationships: Those whose target may also be missing in the source.
  ///   - references: Those whose target is a placeholder, by its key, and does not exist in the destination.
  package func refuseMissing(
    _ relationships: Set<String>,
    andReferences references: (relationships: Set<String>, firstKey: Int64)? = nil
  ) {
    (refused, refusedReferences) = (relationships, references)
    for (name, site) in sites { settle(site, name) }
  }

  private func settle(_ site: LinkSite, _ name: String) {
    site.refusesMissing = refused.contains(name)
    site.firstRefusedKey = refusedReferences.flatMap { references in
      references.relationships.contains(name) ? references.firstKey : nil
    }
  }

  /// Returns the counter of the links of `relationship`, created on first use.
  package func site(of relationship: String, to root: String) -> LinkSite? {
    if let site = sites[relationship] { return site }
    guard let map = maps[root] else { return nil }
    let site = LinkSite(map, relationship)
    settle(site, relationship)
    sites[relationship] = site
    return site
  }

  /// Returns and resets the counts of all links.
  package func takeLinkCounts() -> [String: LinkCounts] {
    var counts: [String: LinkCounts] = [:]
    for (name, site) in sites where site.counts != LinkCounts() {
      counts[name] = site.counts
      site.counts = LinkCounts()
    }
    return counts
  }
}

/// A relationship that is being copied: the map of its targets, and its counts.
package final class LinkSite {
  let map: IDMap
  /// Whether a null key is a dangling link, as in a link table; elsewhere it is no link.
  package var countsNull = false
  /// Whether the current row is rejected if its link has no target.
  var refusesMissing = false
  /// The first key of placeholders, for which the row is rejected if the target is not copied, as the link is required.
  var firstRefusedKey: Int64?
  var counts = LinkCounts()
  private let relationship: String

  init(_ map: IDMap, _ relationship: String) {
    self.map = map
    self.relationship = relationship
  }

  /// The message for a rejected row.
  var refusal: String {
    RejectCode.link.message("its link \(relationship) points to an object that is not copied")
  }

  /// The message for a rejected row with a required link.
  var emptyRefusal: String { refusal + LinkSite.mustNotBeEmpty }
  /// The end of that message.
  package static let mustNotBeEmpty = ", and is required"
}
