internal import DecantBase
package import DecantMatch
package import DecantPlan
package import DecantStore
internal import DecantJSON
package import DecantSQLite

/// Decides on ordered lists whose order was changed since the base, and reorders those of the destination.
package struct ListOrders {
  package let connection: Connection
  package let ids: IDTable
  package let layouts: Sided<Layout>
  package let schemas: Sided<String>
  /// The highest rowid of each table of ordered links of the destination before rows were added.
  private var lastLinks: [String: Int64] = [:]
  /// The objects of the destination that the source's values move into another list, by the number of the lists.
  private var moved: [Int: KeySet] = [:]

  package init(connection: Connection, ids: IDTable, layouts: Sided<Layout>, schemas: Sided<String>) {
    (self.connection, self.ids, self.layouts) = (connection, ids, layouts)
    self.schemas = schemas
  }

  /// Finds the lists whose order only the source has changed, and those that both have changed in different ways.
  ///
  /// - Parameters:
  ///   - history: The lists whose order the source has changed.
  ///   - hashes: The hashes of the objects.
  ///   - rules: The rules, which say which objects are merged with a base.
  ///   - conflicts: The listing and deciding of conflicts; `nil` if they are only counted.
  ///   - log: The log in which they are counted.
  /// - Returns: The lists that take the source's order.
  /// - Throws: `SQLiteError` if a store cannot be read.
  func settle(
    _ history: ListHistory,
    _ hashes: MatchHashes,
    _ rules: MergeRules,
    _ conflicts: Conflicts?,
    _ log: ConflictLog
  ) throws(SQLiteError) -> [TakenOrder] {
    let values = ConflictValues(hashes, on: connection)
    var taken: [TakenOrder] = []
    for lists in history.lists {
      guard let there = lists.link(in: layouts.destination),
        let owners = ids.map(of: lists.link.holder)?.matchedObjects,
        let targets = ids.map(of: lists.link.target)?.matchedObjects
      else { continue }
      for key in try history.owners(of: lists) {
        let entity = try values.entity(key, lists.link.holder, .source)
        guard rules.rule(of: entity, in: hashes.model).policy == .threeWay,
          try owners.matched.contains(key), let image = try owners.destination(of: key)
        else { continue }
        let before = try history.order(of: lists, key)
        let theirs = try order(lists.link, key, .source)
        // Each object by its key in the source.
        var (mine, keys): ([Int64], [Int64: Int64]) = ([], [:])
        for target in try order(there, image, .destination) {
          guard let origin = try targets.source(of: target) else { continue }
          mine.append(origin)
          keys[origin] = target
        }
        let all = Set(theirs).intersection(mine).intersection(before.map(\.target))
        let orders = [before.map(\.target), mine, theirs].map { $0.filter(all.contains) }
        guard orders[2] != orders[0], orders[2] != orders[1] else { continue }
        let own = TakenOrder(lists: lists, owner: Sided(key, image))
        guard orders[1] != orders[0] else {
          taken.append(own)
          continue
        }
        func shown(_ keys: [Int64], _ side: MatchSide) throws(SQLiteError) -> [JSONValue] {
          var shown: [JSONValue] = []
          for key in keys { shown.append(try values.object(key, lists.link.target, side)) }
          return shown
        }
        let list = lists.relationship(in: hashes.model)
        let line = try values.line(
          lists.link.holder,
          source: key,
          destination: image,
          .order(
            list.name,
            base: before.filter { all.contains($0.target) }.map { .raw($0.shown) },
            mine: try shown(orders[1].compactMap { keys[$0] }, .destination),
            theirs: try shown(orders[2], .source)
          )
        )
        switch try conflicts?.takesTheirs(line) {
        case true?: taken.append(own)
        case false?: break
        case nil:
          let pair = MatchedPair(root: lists.link.holder, source: key, destination: image)
          try log.add(pair, [.position(list)])
        }
      }
    }
    return taken
  }

  /// Returns the objects in a list, in order.
  private func order(_ link: Link, _ owner: Int64, _ side: MatchSide) throws(SQLiteError) -> [Int64] {
    try places(link, owner, side).map(\.key)
  }

  /// Returns the objects in a list, in order, with their positions.
  private func places(_ link: Link, _ owner: Int64, _ side: MatchSide) throws(SQLiteError) -> [(
    key: Int64, place: Int64
  )] {
    var order: [(Int64, Int64)] = []
    try connection.forEachRow(
      "SELECT target, position FROM (\(ListHistory.rows(link, schemas[side]))) WHERE owner = ?1 ORDER BY position, target",
      .integer(owner)
    ) { row in order.append((row.integer(at: 0), row.integer(at: 1))) }
    return order
  }

  /// Reorders lists of the destination as in the source; an object that only the destination has stays after its
  /// predecessor, before the objects that were added there.
  package func write(_ taken: [TakenOrder]) throws(SQLiteError) {
    for list in taken {
      guard let there = list.lists.link(in: layouts.destination) else { continue }
      let mine = try order(there, list.owner.destination, .destination)
      let theirs = try theirs(list, among: mine)
      let wanted = ListOrders.merged(theirs.map(\.key), mine)
      guard wanted != mine else { continue }
      let shared = Dictionary(theirs.map { ($0.key, $0.place) }, uniquingKeysWith: { first, _ in first })
      try write(ListOrders.places(of: wanted) { shared[$0] != nil && shared[$0] == shared[$1] }, there, list.owner)
    }
  }

  /// Remembers which links the destination has: those that follow are new.
  package mutating func begin() throws(SQLiteError) {
    for lists in OrderedLists.all(of: layouts.source) {
      guard let there = lists.link(in: layouts.destination) else { continue }
      guard there.isTable else {
        moved[lists.number] = try moving(lists.link, there)
        continue
      }
      guard let rowID = there.rowID else { continue }
      lastLinks[there.table] =
        try connection.integer("SELECT max(\(rowID)) FROM \(there.sqlTable(in: schemas.destination))") ?? 0
    }
  }

  /// Returns the objects of the destination that take the source's values and are not in the list in which they are
  /// there.
  private func moving(_ here: Link, _ there: Link) throws(SQLiteError) -> KeySet? {
    guard ids.map(of: there.target)?.matchedObjects?.updated?.count ?? 0 > 0,
      let moved = try KeySet(for: there.targetKey, in: there.sqlTable(in: schemas.destination), on: connection)
    else { return nil }
    let (owner, target) = ("id(\(here.holder.sqlText), s.owner)", "id(\(here.target.sqlText), s.target)")
    let outcomes = [MergeOutcome.updated, .filled].map(\.rawValue)
    try connection.forEachRow(
      """
      SELECT \(target) FROM (\(ListHistory.rows(here, schemas.source))) AS s
      WHERE merge_outcome(\(here.target.sqlText), s.target) IN (\(outcomes.list)) AND NOT EXISTS (
        SELECT 1 FROM (\(there.rows(in: schemas.destination, bothWays: false))) AS d
        WHERE d.target = \(target) AND d.owner = \(owner))
      """
    ) { row throws(SQLiteError) in
      if row.type(at: 0) == .integer { try moved.insert(row.integer(at: 0)) }
    }
    try moved.seal()
    return moved.count > 0 ? moved : nil
  }

  /// Moves objects that came into lists of the destination, as new ones or out of other lists, after their predecessors
  /// in the source.
  ///
  /// The other objects keep their order. Without this, such an object would be at the end of the list, such as the
  /// restored second step of a recipe.
  ///
  /// - Parameter taken: The lists that have the source's order already.
  /// - Throws: `SQLiteError` if a store cannot be read or written.
  package func placeAdded(besides taken: [TakenOrder]) throws(SQLiteError) {
    for lists in OrderedLists.all(of: layouts.source) {
      guard let there = lists.link(in: layouts.destination), let map = ids.map(of: there.target),
        let owners = ids.map(of: there.holder)?.matchedObjects, let matched = map.matchedObjects?.matched
      else { continue }
      let newLinks = try newLinks(of: there)
      let moved = moved[lists.number]
      guard newLinks != nil || moved != nil || map.included.count > matched.count else { continue }
      let ordered = Set(
        taken.filter { $0.lists.relationship == lists.relationship && $0.lists.isReversed == lists.isReversed }
          .map(\.owner.source))
      var (owner, added) = (Int64?.none, Set<Int64>())
      func finish() throws(SQLiteError) {
        guard let key = owner, !ordered.contains(key), try owners.matched.contains(key),
          let image = try owners.destination(of: key)
        else { return }
        if let newLinks {
          defer { newLinks.reset() }
          try newLinks.bind(.integer(image), at: 1)
          while try newLinks.step() { added.insert(newLinks.integer(at: 0)) }
        }
        guard !added.isEmpty else { return }
        let own = Sided(key, image)
        let now = try places(there, image, .destination)
        added.formIntersection(now.map(\.key))
        guard !added.isEmpty else { return }
        let theirs = try theirs(TakenOrder(lists: lists, owner: own), among: now.map(\.key))
        let wanted = ListOrders.merged(now.map(\.key).filter { !added.contains($0) }, theirs.map(\.key))
        // If possible, added objects get the positions that they have in the source, and no other object changes.
        let places = Dictionary(
          now.filter { !added.contains($0.key) } + theirs.filter { added.contains($0.key) }, uniquingKeysWith: { $1 })
        let kept = wanted.compactMap { key in places[key].map { (key, $0) } }
        // Members that share a position in their list go on sharing one.
        let shared = [theirs, now.filter { !added.contains($0.key) }].map {
          Dictionary($0.map { ($0.key, $0.place) }, uniquingKeysWith: { first, _ in first })
        }
        func isShared(_ one: Int64, _ other: Int64) -> Bool {
          guard let list = shared.first(where: { $0[one] != nil && $0[other] != nil }) else { return false }
          return list[one] == list[other]
        }
        let isInOrder = zip(kept, kept.dropFirst()).allSatisfy {
          $0.1 < $1.1 || $0.1 == $1.1 && isShared($0.0, $1.0)
        }
        let all = ListOrders.places(of: wanted, isShared: isShared)
        try write(isInOrder ? kept.filter { added.contains($0.0) } : all, there, own)
      }
      let rows = ListHistory.rows(lists.link, schemas.source)
      try connection.forEachRow("SELECT owner, target FROM (\(rows)) ORDER BY owner, position, target") {
        row throws(SQLiteError) in
        let (holder, target) = (row.integer(at: 0), row.integer(at: 1))
        if holder != owner {
          try finish()
          (owner, added) = (holder, [])
        }
        guard try owners.matched.contains(holder), let image = try map.destination(of: target) else { return }
        var isAdded = try !matched.contains(target)
        if !isAdded, let moved { isAdded = try moved.contains(image) }
        if isAdded { added.insert(image) }
      }
      try finish()
    }
  }

  /// Returns the query of the objects that links in a table added to an owner's list; `nil` if there are none.
  private func newLinks(of link: Link) throws(SQLiteError) -> Statement? {
    guard let last = lastLinks[link.table], let rowID = link.rowID else { return nil }
    let new = "FROM \(link.sqlTable(in: schemas.destination)) WHERE \(rowID) > \(last)"
    guard try connection.integer("SELECT 1 \(new) LIMIT 1") != nil else { return nil }
    return try connection.prepare("SELECT \(link.targetKey) \(new) AND \(link.holderKey) = ?1")
  }

  /// Returns the objects of a list in the source's order, by their keys in the destination, if they are in its list.
  private func theirs(_ list: TakenOrder, among mine: [Int64]) throws(SQLiteError) -> [(key: Int64, place: Int64)] {
    guard let targets = ids.map(of: list.lists.link.target) else { return [] }
    let members = Set(mine)
    var theirs: [(key: Int64, place: Int64)] = []
    var ordered: Set<Int64> = []
    for (key, place) in try places(list.lists.link, list.owner.source, .source) {
      if let image = try targets.destination(of: key), members.contains(image), ordered.insert(image).inserted {
        theirs.append((image, place))
      }
    }
    return theirs
  }

  /// Returns consecutive positions; neighbors for which `isShared` holds have the same one.
  private static func places(of keys: [Int64], isShared: (Int64, Int64) -> Bool) -> [(Int64, Int64)] {
    var (place, last): (Int64, Int64?) = (0, nil)
    return keys.map { key in
      if !(last.map { isShared($0, key) } ?? false) { place += distance }
      last = key
      return (key, place)
    }
  }

  /// Writes the positions of objects in a list.
  private func write(_ places: [(key: Int64, place: Int64)], _ there: Link, _ owner: Sided<Int64>) throws(SQLiteError) {
    guard !places.isEmpty, let position = there.position else { return }
    let relation = layouts.destination.relation(of: there.target)
    let revision =
      there.isTable ? nil : relation?.columns.first { $0.columnRole == .revision }?.name.sqlName
    let sets =
      ["\(position.sqlName) = ?1"]
      + [revision].compactMap { $0.map { "\($0) = coalesce(\($0), 0) + 1" } }
    let update = try connection.prepare(
      """
      UPDATE \(there.sqlTable(in: schemas.destination)) SET \(sets.joined(separator: ", "))
      WHERE \(there.holderKey) = ?2 AND \(there.targetKey) = ?3 AND \(position.sqlName) IS NOT ?1
      """
    )
    for (key, place) in places { try update.run(.integer(place), .integer(owner.destination), .integer(key)) }
  }

  /// Returns the elements of `mine` in the order of `theirs`; an element that only `mine` has stays after its
  /// predecessor.
  private static func merged(_ theirs: [Int64], _ mine: [Int64]) -> [Int64] {
    let ordered = Set(theirs)
    // The elements that follow each element, or with `nil` those at the beginning.
    var followers: [Int64?: [Int64]] = [:]
    var last: Int64?
    for key in mine {
      if ordered.contains(key) { last = key } else { followers[last, default: []].append(key) }
    }
    return theirs.reduce(into: followers[nil] ?? []) { merged, key in
      merged.append(key)
      merged += followers[key] ?? []
    }
  }

  /// The distance between consecutive positions.
  private static let distance: Int64 = 1024
}
