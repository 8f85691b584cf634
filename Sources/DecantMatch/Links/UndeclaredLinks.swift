package import DecantBase
internal import DecantPlan
package import DecantStore
package import DecantSQLite

/// A search for columns that contain keys without a declaration in the schema.
///
/// If the keys of objects change, such a column would lead to other rows afterwards. Strong evidence ends the plan with
/// a question, as only the user can decide; weak evidence is a note.
package struct UndeclaredLinks {
  package let layout: Layout
  package let ids: IDTable
  /// The schema of the attached source.
  package let schema: String
  /// The tables that triggers of the destination fill, whose copied content does not matter.
  package var filledByTriggers: Set<String> = []
  /// Whether only links to objects that get other keys, or are left out, count.
  var asksOfChangesOnly = true

  package init(
    layout: Layout,
    ids: IDTable,
    schema: String,
    filledByTriggers: Set<String> = [],
    asksOfChangesOnly: Bool = true
  ) {
    (self.layout, self.ids, self.schema) = (layout, ids, schema)
    (self.filledByTriggers, self.asksOfChangesOnly) = (filledByTriggers, asksOfChangesOnly)
  }

  /// Examines every column before any key changes.
  ///
  /// - Parameters:
  ///   - connection: The connection with the source.
  ///   - place: The source as the user named it.
  /// - Returns: A note on columns that may be links and are copied unchanged; `nil` if there are none.
  /// - Throws: `DecantError` of the family `.usage` if a column looks like a link to objects that get other keys, or whose
  ///   keys may be those of other objects of the destination.
  package func check(on connection: Connection, place: String) throws(DecantError) -> ReportNote? {
    let found = try found(on: connection).compactMap { evidence -> LinkEvidence? in
      guard mayMislead(evidence) else { return evidence.weight == .strong ? evidence.asNote : nil }
      return evidence
    }
    let strong = found.filter { $0.weight == .strong }
    guard strong.isEmpty else { throw LinkQuestion(columns: strong, place: place).error }
    return LinkQuestion.note(on: found)
  }

  /// Whether a copied key may lead to another object; in a new store that keeps its keys, one whose object is left out
  /// leads nowhere.
  private func mayMislead(_ evidence: LinkEvidence) -> Bool {
    guard let map = ids.map(of: evidence.target.root) else { return true }
    return map.mayChange || map.unresolvedKeys != .all
  }

  /// Returns the columns for which there is evidence, in the order of tables and columns.
  ///
  /// - Parameters:
  ///   - connection: The connection with the source.
  ///   - progress: Receives progress.
  /// - Returns: The evidence for each.
  /// - Throws: `DecantError` if the source cannot be read.
  func found(on connection: Connection, _ progress: SearchProgress? = nil) throws(DecantError) -> [LinkEvidence] {
    let targets = self.targets
    guard !targets.isEmpty else { return [] }
    return try explaining("cannot look for undeclared links") { () throws(SQLiteError) in
      let pairs = LinkPairs(layout, ids, on: connection, schema)
      let kinds = try RowKinds(layout, on: connection, schema)
      var readings: [LinkScales.Reading] = []
      progress?.beginSteps(of: Int64(layout.relations.count))
      for relation in layout.relations where !filledByTriggers.contains(relation.root) {
        progress?.begin(relation.root, 1)
        for column in relation.columns {
          guard let reading = try read(column, relation, targets, pairs, kinds, on: connection)
          else {
            continue
          }
          readings.append(reading)
        }
      }
      let scales = LinkScales(layout, readings)
      var found: [LinkEvidence] = []
      for reading in readings {
        found += try scales.evidence(reading)
      }
      return withoutDetours(withoutCircles(withoutOwnKeys(withoutSecondKeys(found))))
    }
  }

  /// A table whose keys may change.
  private struct Target {
    let map: IDMap
    /// Whether its key is itself a link: values alone then suggest the target of that link.
    let isContinuing: Bool
  }

  /// The relevant tables, in the order of the layout.
  private var targets: [Target] {
    layout.relations.compactMap { relation in
      guard let map = ids.map(of: relation.root), map.existing.count > 0,
        let key = relation.columns.first(where: { $0.columnRole.isKey }), !relation.isVirtual
      else { return nil }
      guard !asksOfChangesOnly || map.mayChange || map.leavesOut else { return nil }
      return Target(map: map, isContinuing: key.targetRoot != nil)
    }
  }

  /// Reads a column as plain keys, or else as texts with more than a key; `nil` if it contains no keys.
  private func read(
    _ column: RelationColumn,
    _ relation: Relation,
    _ targets: [Target],
    _ pairs: LinkPairs,
    _ kinds: RowKinds,
    on connection: Connection
  ) throws(SQLiteError) -> LinkScales.Reading? {
    if let reading = try readKeys(column, relation, targets, pairs, kinds, on: connection) {
      return reading
    }
    guard column.linkHint?.holdsTexts == true else { return nil }
    do throws(SQLiteError) {
      return try readTexts(column, relation, targets, on: connection)
    } catch {
      // A text that the destination's encoding cannot represent contains no keys; the copy reports it.
      guard error.isMismatch else { throw error }
      return nil
    }
  }

  /// Reads a column of texts that contain keys and more.
  private func readTexts(
    _ column: RelationColumn,
    _ relation: Relation,
    _ targets: [Target],
    on connection: Connection
  ) throws(SQLiteError) -> LinkScales.Reading? {
    guard let hint = column.linkHint, let property = column.columnRole.property else { return nil }
    // A name that contains the row's own key is not a link.
    let others = targets.filter { !$0.isContinuing && $0.map.root != relation.root }
    func candidates(_ reason: (String) -> LinkHint.Reason?) -> [LinkScan.Candidate] {
      others.map { target in
        let reason = reason(target.map.root)
        return LinkScan.Candidate(target.map, reason, mayMiss: reason != nil, isMoved: !asksOfChangesOnly)
      }
    }
    func isNamed(_ name: LinkName, _ root: String) -> Bool {
      name.points(to: TableName(root)).map { $0.rawValue < LinkName.Nearness.ending.rawValue }
        ?? false
    }
    let texts = LinkTexts(relation: relation, column: column, connection: connection, schema: schema)
    let form = try texts.form { name in others.contains { isNamed(name, $0.map.root) } }
    var scan = LinkScan([], isLinkLike: false)
    var settings: [LinkSettings.Kind] = []
    switch form {
    case nil: return nil
    case .list:
      let named = hint.named.filter { $0.reason == .table }.map(\.target)
      let lists = try texts.keys(candidates { named.contains($0) ? .table : nil }, KeyLists.list)
      guard let lists else { return nil }
      scan = lists
    case .path:
      let own = targets.filter { $0.map.root == relation.root }.map { target in
        LinkScan.Candidate(target.map, .sameTable, mayMiss: true, isMoved: !asksOfChangesOnly)
      }
      let paths = try texts.keys(own) { KeyLists.path($0) ?? KeyLists.list($0) }
      guard let paths else { return nil }
      scan = paths
    case .members:
      let members = try texts.members(candidates { _ in .table }, isNamed)
      guard let members else { return nil }
      scan = members
    case .prefixes(let prefixes):
      for prefix in prefixes {
        let name = LinkTexts.word(of: prefix)
        let kind = try texts.kind(prefix, candidates { isNamed(name, $0) ? .table : nil })
        if let kind { settings.append(kind) }
      }
      guard !settings.isEmpty else { return nil }
    }
    var reading = LinkScales.Reading(
      column: property,
      hint: hint,
      scan: scan,
      isKey: false,
      isVirtual: relation.isVirtual
    )
    (reading.settings, reading.isList) = (settings, settings.isEmpty)
    return reading
  }

  /// Reads a column once; `nil` if it contains no keys.
  private func readKeys(
    _ column: RelationColumn,
    _ relation: Relation,
    _ targets: [Target],
    _ pairs: LinkPairs,
    _ kinds: RowKinds,
    on connection: Connection
  ) throws(SQLiteError) -> LinkScales.Reading? {
    guard let hint = column.linkHint, let property = column.columnRole.property else { return nil }
    let isKey = column.columnRole.isKey
    let values = integers(in: column, of: relation)
    if let name = hint.settingColumn {
      let settings = LinkSettings(pairs: pairs, relation: relation, nameColumn: name, value: values)
      let found = try settings.kinds { name in
        let known = KnownSettings.target(of: name.text, in: relation.root)
        return targets.filter { !$0.isContinuing }.map { target in
          let root = target.map.root
          let reason: LinkHint.Reason? =
            root == known
            ? .setting
            : name.points(to: TableName(root)) != nil
              ? .table : name.isPerson && LinkName(root).holdsPersons ? .person : nil
          return LinkScan.Candidate(target.map, reason, mayMiss: reason == .setting, isMoved: !asksOfChangesOnly)
        }
      }
      guard found.isEmpty else {
        return LinkScales.Reading(
          column: property,
          hint: hint,
          scan: LinkScan([], isLinkLike: false),
          settings: found,
          isKey: false,
          isVirtual: relation.isVirtual
        )
      }
    }
    if let pair = try pairs.pair(of: column, hint, values, in: relation, changes: asksOfChangesOnly) {
      return LinkScales.Reading(
        column: property,
        hint: hint,
        scan: LinkScan([], isLinkLike: true),
        pair: pair,
        isKey: isKey,
        isVirtual: relation.isVirtual
      )
    }
    guard hint.typeColumn == nil else { return nil }
    let isNamed = hint.named.contains { $0.reason != .holder }
    let kind = isKey || isNamed ? nil : kinds.table(calledLike: column.name)
    var candidates: [LinkScan.Candidate] = []
    for target in targets where !isKey || target.map.root != relation.root {
      let reason =
        target.map.root == kind
        ? .rowKind : hint.named.first { $0.target == target.map.root }?.reason
      // Values alone that are keys of their own table are row numbers.
      let isOther = target.map.root != relation.root || hint.isLinkLike
      let counts = hint.countsValues || hint.holdsTexts && hint.isLinkLike
      guard reason != nil || !target.isContinuing && counts && isOther else { continue }
      candidates.append(LinkScan.Candidate(target.map, reason, mayMiss: hint.isLinkLike, isMoved: !asksOfChangesOnly))
    }
    if !hint.countsValues, !candidates.contains(where: { $0.reason != nil }) {
      // Other texts than digits are not keys alone.
      let others =
        "SELECT 1 FROM \(relation.sqlTable(in: schema)) WHERE \(values) IS NOT NULL AND typeof(\(values)) <> 'integer'"
      guard try connection.integer("\(others) LIMIT 1") == nil else { return nil }
    }
    guard !candidates.isEmpty else { return nil }
    // The most likely by name first.
    let places = Dictionary(hint.named.enumerated().map { ($0.element.target, $0.offset) }, uniquingKeysWith: min)
    candidates = candidates.enumerated().sorted { one, other in
      let (place, otherPlace) = (places[one.element.map.root], places[other.element.map.root])
      return (place ?? Int.max, one.offset) < (otherPlace ?? Int.max, other.offset)
    }.map(\.element)
    var scan = LinkScan(candidates, isLinkLike: hint.isLinkLike)
    try scan.read(
      """
      SELECT v FROM (SELECT \(values) AS v
        FROM \(relation.sqlTable(in: schema)))
      WHERE typeof(v) = 'integer' AND v > 0
      """,
      on: connection
    )
    guard scan.valueCount > 0 else { return nil }
    var hasOwnKey = false
    if hint.isParent, !isKey, let key = relation.columns.first(where: { $0.columnRole.isKey }) {
      let own = "SELECT 1 FROM \(relation.sqlTable(in: schema)) WHERE \(values) = \(relation.value(of: key)) LIMIT 1"
      hasOwnKey = try connection.integer(own) != nil
    }
    return LinkScales.Reading(
      column: property,
      hint: hint,
      scan: scan,
      isKey: isKey,
      isVirtual: relation.isVirtual,
      hasOwnKey: hasOwnKey,
      name: LinkName(column.name)
    )
  }

  /// Returns the values of a column as SQL, with texts of digits converted to integers.
  private func integers(in column: RelationColumn, of relation: Relation) -> String {
    var loose = column
    loose.holdsLooseIntegers = true
    return relation.value(of: loose)
  }

  /// Redirects links to a table whose key looks like a link to the target of that key, if the values are keys there.
  private func withoutDetours(_ found: [LinkEvidence]) -> [LinkEvidence] {
    let keys = Dictionary(
      found.filter { $0.isKey && $0.typeColumn == nil }.map { ($0.column.entity, $0.target.root) },
      uniquingKeysWith: { first, _ in first }
    )
    return found.map { evidence in
      guard evidence.target.reason == nil, let next = keys[evidence.target.root] else {
        return evidence
      }
      return evidence.leading(to: next)
    }
  }

  /// Removes columns that only by their values are keys of the types in another column, if the types belong to a third
  /// column.
  private func withoutSecondKeys(_ found: [LinkEvidence]) -> [LinkEvidence] {
    let strong = found.filter { $0.weight == .strong }
    return found.filter { evidence in
      guard evidence.weight == .weak, let type = evidence.typeColumn else { return true }
      return !strong.contains {
        $0.typeColumn == type && $0.column.entity == evidence.column.entity
          && $0.column != evidence.column
      }
    }
  }

  /// Removes keys that only by their values look like links, if a link in another column joins both tables.
  private func withoutOwnKeys(_ found: [LinkEvidence]) -> [LinkEvidence] {
    let others = found.filter { !$0.isKey && $0.typeColumn == nil }
    return found.filter { evidence in
      guard evidence.isKey, evidence.weight == .weak, evidence.target.reason == nil else {
        return true
      }
      let ends: Set = [evidence.column.entity, evidence.target.root]
      return !others.contains {
        $0.column.entity != $0.target.root && ends == [$0.column.entity, $0.target.root]
      }
    }
  }

  /// Removes one of two keys that look like links to each other: the later table extends the other.
  private func withoutCircles(_ found: [LinkEvidence]) -> [LinkEvidence] {
    let places = Dictionary(layout.relations.enumerated().map { ($0.element.root, $0.offset) }, uniquingKeysWith: min)
    let keys = found.filter { $0.isKey && $0.typeColumn == nil }
    return found.filter { evidence in
      guard evidence.isKey else { return true }
      return !keys.contains { other in
        other.column.entity == evidence.target.root && other.target.root == evidence.column.entity
          && (places[evidence.column.entity] ?? 0) < (places[other.column.entity] ?? 0)
      }
    }
  }
}
