internal import DecantBase
internal import DecantMatch
package import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// Objects of different entities with the same identity, which a constraint of their common ancestor forbids.
///
/// They are not the same object, and cannot coexist either.
package struct InheritedUniquenessConflict {
  private let purpose: Purpose

  /// Creates the check, with error messages for `purpose`.
  package init(_ purpose: Purpose) { self.purpose = purpose }

  /// Throws if a new object of `name` has the identity of an object of another entity.
  func check(_ name: String, _ matching: Matcher) throws(DecantError) {
    guard let root = matching.hashes.root(name), let pairs = matching.pairs[name] else { return }
    let shared = Dictionary(grouping: root.identities.values.filter(\.isPromised), by: \.name)
    guard let identity = shared.values.first(where: { $0.count > 1 })?.first,
      let select = matching.hashes.identity(of: root, .source, byEntity: false),
      let other = matching.hashes.identity(of: root, .destination, byEntity: false)
    else { return }
    let hashes = Sided(select, other)
    let found = try explaining("cannot match \(name)") { () throws(SQLiteError) -> Found? in
      if !matching.isIntoNothing {
        guard try isEnforced(identity, root, matching) else { return nil }
      }
      return try first(root, hashes, pairs, matching)
    }
    guard let found else { return }
    let names = Dictionary(root.relations.destination.entities.map { ($0.code, $0.name) }) {
      one,
      _ in one
    }
    func tell(_ object: (key: Int64, entity: Int64)) -> String {
      "\(names[object.entity] ?? name) p\(object.key)"
    }
    throw DecantError(
      purpose == .migration ? .migrationUndecided : .constraintViolated,
      "\(tell(found.own)) of the source and \(tell(found.other)) of the "
        + "\(found.isThere ? "destination" : "source") cannot both be in the destination: they are of different entities and have the "
        + "same \(identity.name.drop { $0 != " " }.dropFirst()) value",
      place: "unique: \(identity.name)",
      remedy: purpose == .migration
        ? "change the values in the app or in a mapping file"
        : "exclude one with \(say: .where), pass \(option: .onError, "reject"), or change the values"
    )
  }

  /// Two objects, by their keys and the codes of their entities.
  private struct Found {
    let own: (key: Int64, entity: Int64)
    let other: (key: Int64, entity: Int64)
    /// Whether the second object is in the destination.
    let isThere: Bool
  }

  private func first(
    _ root: MatchRoot,
    _ hashes: Sided<String>,
    _ pairs: ObjectPairs,
    _ matching: Matcher
  ) throws(SQLiteError) -> Found? {
    let key = root.key(.source)
    let new = """
      SELECT \(hashes.source) AS h, \(key) AS k, \(root.entity(.source)) AS e FROM \(root.table(.source))
      WHERE merge_kept(\(root.number), \(key)) AND \(key) NOT IN (SELECT source FROM \(pairs.table))
      AND \(key) NOT IN (SELECT source FROM \(pairs.duplicates)) AND \(key) NOT IN (SELECT source FROM \(pairs.keptCopies))
      """
    let there = """
      SELECT \(hashes.destination) AS h, \(root.key(.destination)) AS k, \(root.entity(.destination)) AS e
      FROM \(root.table(.destination))
      """
    for isThere in matching.isIntoNothing ? [false] : [true, false] {
      let statement = try matching.connection.prepare(
        """
        WITH s AS MATERIALIZED (\(new)), d AS MATERIALIZED (\(isThere ? there : new))
        SELECT s.k, s.e, d.k, d.e FROM s CROSS JOIN d ON d.h = s.h AND d.e <> s.e
        \(isThere ? "" : "AND s.k < d.k") ORDER BY s.k, d.k LIMIT 1
        """
      )
      guard try statement.step() else { continue }
      return Found(
        own: (statement.integer(at: 0), statement.integer(at: 1)),
        other: (statement.integer(at: 2), statement.integer(at: 3)),
        isThere: isThere
      )
    }
    return nil
  }

  /// Returns whether the destination has an index that rejects a second object of this identity.
  private func isEnforced(
    _ identity: EntityIdentity,
    _ root: MatchRoot,
    _ matching: Matcher
  ) throws(SQLiteError) -> Bool {
    let relation = root.relations.destination
    let columns = identity.attributes.compactMap { relation.column(.attribute($0))?.name }
    guard identity.links.isEmpty, columns.count == identity.attributes.count else { return false }
    var indexes: [String: Set<String>] = [:]
    try matching.connection.forEachRow(
      """
      SELECT l.name, i.name FROM pragma_index_list(?1, ?2) AS l, pragma_index_info(l.name, ?2) AS i
      WHERE l."unique" AND NOT l.partial
      """,
      .text(relation.table),
      .text(matching.hashes.schemas.destination)
    ) { row in
      indexes[row.text(at: 0) ?? "", default: []].insert(row.text(at: 1) ?? "")
    }
    return indexes.values.contains(Set(columns))
  }
}
