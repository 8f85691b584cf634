package import DecantBase
package import DecantSQLite

/// The ID table: for every object of the source, its key in the destination.
///
/// It is complete before the first row is written, so forward references, self references and
/// cycles need no second pass. SQL reads it through the function `id`.
package final class IDTable {
  private var maps: [String: IDMap] = [:]
  private var sites: [String: LinkSite] = [:]
  private var refused: Set<String> = []
  private var refusedReferences: (relationships: Set<String>, firstKey: Int64)?
  private var rows: [String: MergeRows] = [:]

  package init() {}

  /// For each root entity the temporary table of the hashes by which its objects are remembered.
  package var stableHashes: [String: TemporaryTable] = [:]
  /// The file in which they are remembered.
  package var tombstones: Tombstones?

  /// What both stores have changed since their common ancestor, in a merge with a base.
  package var baseChanges: BaseChanges?

  /// The rows without an integer key that are merged with a base, if there are any: their maps are of numbers.
  package var numberedRows: NumberedRows?

  /// What both stores have changed in different ways, where that is asked for.
  package var conflicts: ConflictLog?

  /// What is taken, where that is only what others lead to.
  package var closure: Closure?

  /// Adds the rows that the destination has of an entity that no integer names.
  package func add(_ rows: MergeRows, of root: String) { self.rows[root] = rows }

  /// Returns the rows that the destination has of an entity that no integer names.
  func rows(of root: String) -> MergeRows? { rows[root] }

  /// Adds the map of a root entity.
  package func add(_ map: IDMap) { maps[map.root] = map }

  /// Forgets all maps: a function that reads them keeps them, and their connection, alive.
  package func removeAll() {
    maps = [:]
    sites = [:]
    rows = [:]
    closure = nil
    baseChanges = nil
    conflicts = nil
  }

  /// Whether objects of one of these root entities count as another one of the source, or stay beside their like.
  package func hasJoined(anyOf roots: [String]) -> Bool {
    roots.contains { root in
      guard let matchedObjects = maps[root]?.matchedObjects else { return false }
      return matchedObjects.duplicates.count > 0 || matchedObjects.keptCopies?.count ?? 0 > 0
    }
  }

  /// Whether objects of a root entity take some properties of the source and keep others.
  package func mergesByProperty(_ root: String) -> Bool {
    baseChanges?.taken[root]?.isEmpty == false
  }

  /// Returns the map of a root entity.
  package func map(of root: String) -> IDMap? { maps[root] }

  /// Returns the map of a root entity whose objects have keys; `nil` where they are numbered for this run alone.
  package func keyMap(of root: String) -> IDMap? {
    numberedRows?.roots.contains(root) == true ? nil : maps[root]
  }

  /// Has the rows refused that hold a link of these relationships whose target is not there, as they are counted.
  ///
  /// - Parameters:
  ///   - relationships: Those whose target may be missing in the source as well.
  ///   - references: Those whose target only stands for another object, as its key tells, and that is not there.
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

  /// Returns the place where the links of `relationship` are counted, made at the first call.
  package func site(of relationship: String, to root: String) -> LinkSite? {
    if let site = sites[relationship] { return site }
    guard let map = maps[root] else { return nil }
    let site = LinkSite(map, relationship)
    settle(site, relationship)
    sites[relationship] = site
    return site
  }

  /// Takes the counts of all links since the last time.
  package func takeLinkCounts() -> [String: LinkCounts] {
    var counts: [String: LinkCounts] = [:]
    for (name, site) in sites where site.counts != LinkCounts() {
      counts[name] = site.counts
      site.counts = LinkCounts()
    }
    return counts
  }
}

/// A relationship that is being copied: the map of its targets, and its count.
package final class LinkSite {
  let map: IDMap
  /// Whether a row without a key is a link that leads nowhere, as in a table of links; elsewhere it is
  /// no link.
  package var countsNull = false
  /// Whether the row at hand is refused where its link leads nowhere.
  var refusesMissing = false
  /// The key from which on it is so where its link leads to what is not copied, as it must not be empty.
  var firstRefusedKey: Int64?
  var counts = LinkCounts()
  private let relationship: String

  init(_ map: IDMap, _ relationship: String) {
    self.map = map
    self.relationship = relationship
  }

  /// What a row is refused with.
  var refusal: String {
    RejectCode.link.message("its link \(relationship) points to an object that is not copied")
  }

  /// What a row is refused with whose link must not be empty.
  var emptyRefusal: String { refusal + LinkSite.mustNotBeEmpty }
  /// How that ends.
  package static let mustNotBeEmpty = ", and is required"
}
