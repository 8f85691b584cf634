internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The matching of objects that violate the model's uniqueness constraint, which occur in real stores.
///
/// If several objects share an identity, those with equal content are paired; the others are new. An object that is
/// unique in both stores is matched by its identity as usual.
struct AmbiguousIdentities {
  private let connection: Connection
  private let rows: Sided<String>

  /// The maximum number of objects of one identity, which are held in memory; further ones are new.
  private static let limit = 1000

  init(
    _ root: MatchRoot,
    _ hashes: MatchHashes,
    _ selects: Sided<String>,
    on connection: Connection
  ) throws(SQLiteError) {
    self.connection = connection
    rows = Sided { side in
      let values = MixFunction.sql(hashes.ownValues(of: root, side))
      return """
        SELECT i.h, i.k, o.c FROM (\(selects[side])) AS i
        JOIN (SELECT \(root.key(side)) AS k, \(values) AS c FROM \(root.table(side))) AS o ON o.k = i.k
        WHERE i.h IS NOT NULL ORDER BY 1, 2
        """
    }
  }

  /// Pairs all objects with an identity.
  func pair(_ pairs: ObjectPairs) throws(SQLiteError) {
    let source = try Groups(rows.source, on: connection)
    let destination = try Groups(rows.destination, on: connection)
    var there = try destination.next()
    while let here = try source.next() {
      while let group = there, group.hash < here.hash { there = try destination.next() }
      guard let group = there, group.hash == here.hash else { continue }
      let mine = here.members
      if mine.count == 1, group.members.count == 1 {
        try pairs.add(mine[0].key, group.members[0].key, .identity)
        continue
      }
      var free = Dictionary(grouping: group.members, by: \.content).mapValues { $0.map(\.key)[...] }
      for member in mine {
        guard let partner = free[member.content]?.popFirst() else { continue }
        try pairs.add(member.key, partner, .identity)
      }
    }
  }

  /// The objects of one store in groups of equal identity.
  private final class Groups {
    private let statement: Statement
    private var isAtRow: Bool

    init(_ sql: String, on connection: Connection) throws(SQLiteError) {
      statement = try connection.prepare(sql)
      isAtRow = try statement.step()
    }

    /// Returns the objects of the next identity; only the first if there are very many.
    func next() throws(SQLiteError) -> (hash: Int64, members: [(key: Int64, content: Int64)])? {
      guard isAtRow else { return nil }
      let hash = statement.integer(at: 0)
      var members: [(key: Int64, content: Int64)] = []
      while isAtRow, statement.integer(at: 0) == hash {
        if members.count < AmbiguousIdentities.limit {
          members.append((statement.integer(at: 1), statement.integer(at: 2)))
        }
        isAtRow = try statement.step()
      }
      return (hash, members)
    }
  }
}
