package import DecantBase
package import DecantPlan
package import DecantStore
package import DecantSQLite

/// The resolution of objects and keys, which creates the ID table.
package struct Resolve {
  package let connection: Connection
  package let sourceModel: Model
  package let sourceLayout: Layout
  package let sourceSchema: String
  /// For each root entity, the highest key the destination has allocated.
  package let counters: [String: Int64]
  package var filters: [CopyPlan.EntityFilter] = []
  /// The closure of a partial copy, if there is one.
  package var closure: Closure?
  /// Whether objects are merged with the destination's, so that they keep keys that are free there.
  package var isMerge = false
  /// The SELECTs of taken keys, for root entities whose keys up to the counter may be free.
  package var takenKeys: [String: [String]] = [:]
  /// A kept ID table to follow, instead of choosing forms.
  package var runs: [String: KeyRuns]?
  /// Whether the copy rejects objects of an entity that does not belong in its table.
  package var allowsMisplacedObjects = false
  /// Whether such objects are also searched in a table of only one entity.
  ///
  /// Nothing else needs to be read there, and the copy itself finds them at no cost.
  package var looksAtEveryEntity = false
  /// The progress, if it is reported.
  package var progress: SearchProgress?

  package init(
    connection: Connection,
    sourceModel: Model,
    sourceLayout: Layout,
    sourceSchema: String,
    counters: [String: Int64],
    filters: [CopyPlan.EntityFilter] = [],
    closure: Closure? = nil,
    isMerge: Bool = false,
    takenKeys: [String: [String]] = [:],
    runs: [String: KeyRuns]? = nil,
    allowsMisplacedObjects: Bool = false,
    looksAtEveryEntity: Bool = false
  ) {
    (self.connection, self.sourceModel, self.sourceLayout) = (connection, sourceModel, sourceLayout)
    (self.sourceSchema, self.counters, self.filters) = (sourceSchema, counters, filters)
    (self.closure, self.isMerge, self.takenKeys) = (closure, isMerge, takenKeys)
    (self.runs, self.allowsMisplacedObjects, self.looksAtEveryEntity) = (
      runs, allowsMisplacedObjects, looksAtEveryEntity
    )
  }

  /// Fills the ID table; returns the numbers of existing and included objects for each concrete entity.
  package func fill(_ ids: IDTable) throws(DecantError) -> [String: EntityCounts] {
    var counts: [String: EntityCounts] = [:]
    var sets: [(relation: Relation, existing: KeySet, included: KeySet)] = []
    progress?.beginSteps(of: Int64(sourceLayout.relations.count))
    for relation in sourceLayout.relations {
      progress?.begin(relation.root, 1)
      try explaining(relation) { () throws(SQLiteError) in
        guard relation.keyColumn != nil else {
          counts[relation.root] = try unkeyedCounts(of: relation)
          return
        }
        let existing = try keys(of: relation)
        let included = try chosen(of: relation, among: existing)
        try count(relation, existing: existing, included: included, into: &counts)
        sets.append((relation, existing, included))
      }
    }
    try leaveOutOrphans(&sets, &counts)
    let families = Dictionary(grouping: sets, by: \.relation.family)
    for (relation, existing, included) in sets {
      try explaining(relation) { () throws(SQLiteError) in
        let members = families[relation.family] ?? []
        let numbering =
          if let runs {
            Numbering(.listed(runs[relation.root] ?? KeyRuns([])))
          } else {
            try numbering(of: members.map { ($0.relation.root, $0.included) })
          }
        ids.add(
          IDMap(
            root: relation.root,
            form: numbering.form,
            existing: existing,
            included: included,
            ranked: numbering.ranked
          )
        )
      }
    }
    return counts
  }

  /// Excludes objects whose key is a link to an excluded object: it would be destroyed, or another object might get it
  /// later.
  private func leaveOutOrphans(
    _ sets: inout [(relation: Relation, existing: KeySet, included: KeySet)],
    _ counts: inout [String: EntityCounts]
  ) throws(DecantError) {
    guard !filters.isEmpty else { return }
    // The targets among which each link was searched last.
    var searched: [KeyLink: ObjectIdentifier] = [:]
    var isSettled = false
    while !isSettled {
      isSettled = true
      for index in sets.indices {
        let relation = sets[index].relation
        for link in sourceLayout.keyLinks(of: relation) {
          let other = sets.first { $0.relation.root == link.targetRoot }
          if let other, other.included === other.existing { continue }
          // The choice of rows without integer keys does not change.
          let state = ObjectIdentifier(other?.included ?? sets[index].existing)
          guard searched[link] != state, let bounds = try bounds(of: sets[index].included, relation) else { continue }
          searched[link] = state
          try explaining(relation) { () throws(SQLiteError) in
            let included = sets[index].included
            let orphans = try KeySet(range: bounds, expecting: included.count, on: connection)
            try forEachEnd(of: link, from: relation, included) { key, target throws(SQLiteError) in
              guard try included.contains(key) else { return }
              if let other {
                guard let target, try other.existing.contains(target), try !other.included.contains(target) else {
                  return
                }
              }
              try orphans.insert(key)
            }
            try orphans.seal()
            guard orphans.count > 0 else { return }
            let kept = try KeySet(range: bounds, expecting: included.count, on: connection)
            try included.forEach { key throws(SQLiteError) in
              if try !orphans.contains(key) { try kept.insert(key) }
            }
            try kept.seal()
            sets[index].included = kept
            counts[relation.root]?.included = kept.count
            // Links to these are checked again.
            isSettled = false
          }
        }
      }
    }
  }

  /// Calls `body` with the key of each row with a link, and that of its target; for targets without integer keys, with
  /// each row whose target is excluded, and `nil`.
  private func forEachEnd(
    of link: KeyLink,
    from relation: Relation,
    _ included: KeySet,
    _ body: (_ key: Int64, _ target: Int64?) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let table = relation.sqlTable(in: sourceSchema)
    let rows: SelectStatement
    switch link.end {
    case .key: return try included.forEach { key throws(SQLiteError) in try body(key, key) }
    case .column(let column):
      rows = SelectStatement(columns: [relation.keyName, relation.value(of: column)], source: table)
    case .values(let link):
      guard let targets = NonIntegerKeyTargets(link, in: sourceLayout, schema: sourceSchema, filters: filters) else {
        return
      }
      let key = targets.target.keyColumn.map { "p.\($0.sqlName)" }
      rows = SelectStatement(
        columns: ["h.\(relation.keyName)", key.map { targets.value($0, for: "h") } ?? "NULL"],
        source: "\(table) AS h",
        conditions: key == nil ? ["NOT (\(targets.stays(for: "h")))"] : []
      )
    }
    try connection.forEachRow(rows.sql) { row throws(SQLiteError) in
      try body(row.integer(at: 0), row.type(at: 1) == .integer ? row.integer(at: 1) : nil)
    }
  }

  private func bounds(of keys: KeySet, _ relation: Relation) throws(DecantError) -> ClosedRange<
    Int64
  >? {
    var bounds: ClosedRange<Int64>?
    try explaining(relation) { () throws(SQLiteError) in bounds = try keys.bounds() }
    return bounds
  }

  /// Returns `map` with its new objects numbered together with those of all `members`, including it.
  package func numbered(_ map: IDMap, among members: [(root: String, included: KeySet)]) throws(SQLiteError) -> IDMap {
    map.numbered(by: try numbering(of: members))
  }

  /// Returns the common numbering of relations whose rows share their keys.
  private func numbering(of members: [(root: String, included: KeySet)]) throws(SQLiteError) -> Numbering {
    let counter = members.compactMap { counters[$0.root] }.max()
    if isMerge, let keys = try union(members.map(\.included)),
      let numbering = try Numbering(
        merging: keys,
        counter: counter,
        taken: try taken(by: members.map(\.root), among: keys, upTo: counter),
        on: connection
      )
    {
      return numbering
    }
    var bounds: ClosedRange<Int64>?
    var count: Int64 = 0
    for member in members {
      guard let own = try member.included.bounds() else { continue }
      count += member.included.count
      bounds =
        bounds.map { min($0.lowerBound, own.lowerBound)...max($0.upperBound, own.upperBound) }
        ?? own
    }
    // Ranks are counted in one table: the keys of several tables keep their gaps.
    let form = IDMap.form(bounds: bounds, count: members.count > 1 ? Int64.max : count, counter: counter)
    if case .rank(let start, _) = form,
      members.count > 1 || start.addingReportingOverflow(count).overflow
    {
      throw SQLiteError(
        code: SQLiteError.internalCode,
        message: "the destination does not have \(count.counted("key")) left above \(start), as new objects need them: "
          + "change the highest key to a lower one"
      )
    }
    return Numbering(form)
  }

  /// Returns the keys of all members, if there are any; those of a single member unchanged.
  private func union(_ members: [KeySet]) throws(SQLiteError) -> KeySet? {
    guard members.count > 1 else { return members.first }
    var (bounds, count): (ClosedRange<Int64>?, Int64) = (nil, 0)
    for keys in members {
      guard let own = try keys.bounds() else { continue }
      bounds =
        bounds.map { min($0.lowerBound, own.lowerBound)...max($0.upperBound, own.upperBound) }
        ?? own
      count += keys.count
    }
    guard let bounds else { return members.first }
    let union = try KeySet(range: bounds, expecting: count, on: connection)
    for keys in members {
      try keys.forEach { key throws(SQLiteError) in try union.insert(key) }
    }
    try union.seal()
    return union
  }

  /// Returns the keys up to `counter` that root entities with shared keys have taken in the destination, within the
  /// range of `keys`; `nil` if all are taken or none is needed.
  private func taken(by roots: [String], among keys: KeySet, upTo counter: Int64?) throws(SQLiteError) -> KeySet? {
    let selects = roots.compactMap { takenKeys[$0] }
    guard selects.count == roots.count, let counter, let bounds = try keys.bounds(),
      bounds.lowerBound <= counter
    else { return nil }
    let highest = min(bounds.upperBound, counter)
    let taken = try KeySet(like: keys, on: connection)
    for select in selects.joined() {
      try connection.forEachRow(
        "SELECT k FROM (\(select)) WHERE k BETWEEN \(bounds.lowerBound) AND \(highest)"
      ) { row throws(SQLiteError) in
        try taken.insert(row.integer(at: 0))
      }
    }
    return taken
  }

  /// Counts the objects of an entity without integer key.
  private func unkeyedCounts(of relation: Relation) throws(SQLiteError) -> EntityCounts {
    let source = try connection.integer("SELECT count(*) FROM \(name(of: relation))") ?? 0
    let conditions = filters.filter { $0.root == relation.root }.map { "(\($0.expression)\n)" }
    let views = EntityViews(model: sourceModel, layout: sourceLayout)
    guard !conditions.isEmpty, let objects = views.objects(of: relation.root, in: sourceSchema)
    else { return EntityCounts(source: source, included: source) }
    let select = SelectStatement(columns: ["count(*)"], source: objects, conditions: conditions)
    return EntityCounts(source: source, included: try connection.integer(select.sql) ?? 0)
  }

  private func explaining(_ relation: Relation, _ body: () throws(SQLiteError) -> Void) throws(DecantError) {
    do throws(SQLiteError) { try body() } catch {
      if error.message.hasPrefix(RejectCode.unknownEntity) {
        throw DecantError("cannot read all objects of \(relation.root)", cause: error)
      }
      throw DecantError(reading: relation.root, error)
    }
  }

  /// The numbers of existing and included objects of a concrete entity.
  package struct EntityCounts {
    package var source: Int64
    package var included: Int64
    /// The included objects that are merged with others.
    package var merge = MergeCounts()
    /// The stub objects created as targets of links, which are not included ones.
    package var stubs: Int64 = 0

    /// The number of objects written as new ones.
    package var new: Int64 { included - merge.there + stubs }
  }

  private func keys(of relation: Relation) throws(SQLiteError) -> KeySet {
    let (table, key) = (name(of: relation), relation.keyName)
    // Two queries: for the lowest and the highest key in one, SQLite would read all keys between.
    let ends = try ["min", "max"].map { (end) throws(SQLiteError) in
      try connection.text("SELECT typeof(\(end)(\(key))) FROM \(table)") ?? ""
    }
    let types = ends.joined(separator: " ")
    guard types == "integer integer" || types == "null null" else {
      throw SQLiteError(
        code: SQLiteError.corruptCode,
        message: "its keys are not all integers (column \(relation.table).\(relation.keyName))"
      )
    }
    let low = try connection.integer("SELECT min(\(key)) FROM \(table)") ?? 0
    let high = try connection.integer("SELECT max(\(key)) FROM \(table)") ?? 0
    guard low <= high else {
      throw SQLiteError(
        code: SQLiteError.corruptCode,
        message: "its keys are not in order (column \(relation.table).\(relation.keyName))"
      )
    }
    let count = try connection.integer("SELECT count(*) FROM \(table)") ?? 0
    let set = try KeySet(range: low...high, expecting: count, on: connection)
    let span = high.subtractingReportingOverflow(low)
    // Rowids are unique integers: if their number fills the range, all of its keys exist.
    let isRowNumber = isRowNumber(relation)
    if !span.overflow, count - 1 == span.partialValue, !set.isStored, isRowNumber {
      set.insert(all: low...high)
      try set.seal()
      return set
    }
    // Without an order SQLite scans the smallest index instead of the table.
    var rowCount: Int64 = 0
    try connection.forEachRow("SELECT \(key) FROM \(table)") { row throws(SQLiteError) in
      rowCount += isRowNumber || row.type(at: 0) == .integer ? 1 : 2
      try set.insert(row.integer(at: 0))
    }
    guard rowCount == set.count else {
      throw SQLiteError(
        code: SQLiteError.corruptCode,
        message: "keys are missing or used twice (column \(relation.table).\(relation.keyName))"
      )
    }
    try set.seal()
    return set
  }

  /// Returns whether the key is the rowid itself, not just a column like it.
  private func isRowNumber(_ relation: Relation) -> Bool {
    guard relation.hasRowNumbers else { return false }
    // A table without rowids, or a virtual one, is read key by key.
    let question = try? connection.prepare("SELECT rowid FROM \(name(of: relation))")
    return question?.origin(at: 0)?.column == relation.keyColumn
  }

  /// Returns the keys of objects that satisfy the conditions: all of `existing` without conditions.
  private func chosen(of relation: Relation, among existing: KeySet) throws(SQLiteError) -> KeySet {
    if let runs { return try listed(runs[relation.root] ?? KeyRuns([]), among: existing) }
    let filters = filters.filter { $0.root == relation.root }
    guard !filters.isEmpty, let bounds = try existing.bounds() else { return existing }
    let set = try KeySet(range: bounds, expecting: existing.count, on: connection)
    if let keys = closure?.keys(of: relation.root) {
      try connection.forEachRow(keys) { row throws(SQLiteError) in
        try set.insert(row.integer(at: 0))
      }
      try set.seal()
      return set
    }
    let views = EntityViews(model: sourceModel, layout: sourceLayout)
    for entity in relation.entities {
      guard let objects = views.objects(of: entity.name, in: sourceSchema) else { continue }
      let conditions = filters.filter { $0.entities.contains(entity.name) }.map(\.expression)
      let select = SelectStatement(
        columns: [EntityView.key],
        source: objects,
        conditions: conditions.map { "(\($0)\n)" }
      )
      try connection.forEachRow(select.sql) { row throws(SQLiteError) in
        try set.insert(row.integer(at: 0))
      }
    }
    try set.seal()
    return set
  }

  /// Returns the keys of `existing` that are in a kept ID table.
  private func listed(_ runs: KeyRuns, among existing: KeySet) throws(SQLiteError) -> KeySet {
    guard let bounds = try existing.bounds() else { return existing }
    let set = try KeySet(range: bounds, expecting: existing.count, on: connection)
    try existing.forEach { key throws(SQLiteError) in
      if runs.destination(of: key) != nil { try set.insert(key) }
    }
    try set.seal()
    return set
  }

  private func count(
    _ relation: Relation,
    existing: KeySet,
    included: KeySet,
    into counts: inout [String: EntityCounts]
  ) throws(SQLiteError) {
    guard let entityCode = relation.entityCode(), relation.entities.count > 1 else {
      guard let entity = relation.entities.first else { return }
      counts[entity.name] = EntityCounts(source: existing.count, included: included.count)
      if looksAtEveryEntity, !allowsMisplacedObjects { try findMisplacedObject(in: relation, included) }
      return
    }
    let names = Dictionary(relation.entities.map { ($0.code, $0.name) }, uniquingKeysWith: { first, _ in first })
    for entity in relation.entities { counts[entity.name] = EntityCounts(source: 0, included: 0) }
    let columns = "\(entityCode), \(relation.keyName)"
    try connection.forEachRow("SELECT \(columns) FROM \(name(of: relation))") {
      row throws(SQLiteError) in
      let isIncluded = try included.contains(row.integer(at: 1))
      guard let name = names[row.integer(at: 0)] else {
        guard isIncluded, !allowsMisplacedObjects else { return }
        throw misplacedObject(row.integer(at: 1), row.integerOrNil(at: 0), in: relation)
      }
      counts[name]?.source += 1
      if isIncluded { counts[name]?.included += 1 }
    }
  }

  /// Throws if an object in the table of `relation`'s only entity has another entity's code.
  private func findMisplacedObject(in relation: Relation, _ included: KeySet) throws(SQLiteError) {
    guard let column = relation.entityCode(), let entity = relation.entities.first else {
      return
    }
    try connection.forEachRow(
      "SELECT \(relation.keyName), \(column) FROM \(name(of: relation)) "
        + "WHERE \(column) IS NOT \(entity.code)"
    ) { row throws(SQLiteError) in
      guard try included.contains(row.integer(at: 0)) else { return }
      throw misplacedObject(row.integer(at: 0), row.integerOrNil(at: 1), in: relation)
    }
  }

  /// Throws for the first object of `ids` whose code is not that of an entity of its table, and names it.
  package func nameMisplacedObject(in ids: IDTable) throws(DecantError) {
    for relation in sourceLayout.relations where relation.entities.count == 1 {
      guard let included = ids.map(of: relation.root)?.included else { continue }
      do throws(SQLiteError) { try findMisplacedObject(in: relation, included) } catch {
        throw DecantError("cannot read all objects of \(relation.root)", cause: error)
      }
    }
  }

  /// Returns the error for the object `key`, whose `code` is not that of an entity of its table.
  private func misplacedObject(_ key: Int64, _ code: Int64?, in relation: Relation) -> SQLiteError {
    let number =
      switch (code, sourceLayout.name(of: code)) {
      case (nil, _): "has no entity number"
      case (let code?, nil): "has entity number \(code), which is not in the model"
      case (let code?, let name?):
        "has entity number \(code), \(name), which does not belong in table \(relation.table)"
      }
    return SQLiteError(
      code: SQLiteError.internalCode,
      message: "\(RejectCode.unknownEntity)\(relation.root) p\(key) \(number)"
    )
  }

  /// Returns the table for reading keys and entities.
  private func name(of relation: Relation) -> String {
    var relation = relation
    relation.table = relation.keyTable ?? relation.table
    return relation.sqlTable(in: sourceSchema)
  }
}
