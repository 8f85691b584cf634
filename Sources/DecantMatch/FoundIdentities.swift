package import DecantBase
package import DecantPlan
internal import DecantStore
package import DecantSQLite

/// Attributes that identify the objects of two stores if neither a rule nor the model does: UUIDs.
///
/// An attribute of the type UUID, or one whose values are all texts of that form or of 16 bytes; or one with the name
/// of a key if `acceptsNames`. Every object of each store has a different value. Numbers are excluded, as two stores
/// may use the same ones. An attribute is excluded if it differs in objects that are equal by their keys, as the
/// identifier of a revision does.
///
/// Of rows without such an attribute, the integer key if it is data: its numbers are too far apart in each store, or too
/// high, to be those of a counter.
package struct FoundIdentities {
  /// The attribute, by the entity that declares it.
  package private(set) var names: [String: [String]] = [:]
  /// The entities whose attribute is their key.
  package private(set) var withDataKeys: Set<String> = []
  /// The entities without an identity.
  package private(set) var lacking: [String] = []
  /// The remaining constraints of entities whose number is reassigned, as positions in a list are; empty if none
  /// remains.
  ///
  /// A number that was given to another object is not an identity if keys show which object it belonged to.
  package private(set) var withoutNumbers: [String: [String]] = [:]

  private let roots: [MatchRoot]
  private let model: Model
  private let lineage: Set<String>
  private let connection: Connection

  /// Examines both stores.
  ///
  /// - Parameters:
  ///   - rules: The rules of the merge.
  ///   - roots: The root entities in both stores.
  ///   - model: The source's model.
  ///   - lineage: The root entities whose objects kept their keys.
  ///   - acceptsNames: Whether the name of a key is sufficient, whatever the form of its values.
  ///   - connection: The connection with both stores.
  /// - Throws: `SQLiteError` if a store cannot be read.
  package init(
    _ rules: MergeRules,
    _ roots: [MatchRoot],
    _ model: Model,
    lineage: Set<String>,
    acceptsNames: Bool = false,
    on connection: Connection
  ) throws(SQLiteError) {
    (self.roots, self.model, self.lineage, self.connection) = (roots, model, lineage, connection)
    for entity in model.entities {
      try leaveOutNumbers(of: entity, rules)
      let line = model.lineage(of: entity.name)
      let key = root(of: entity.name)?.relations.source.columns.first { $0.columnRole.isKey }?.name
      let isKnown = line.contains { ancestor in
        rules.identities[ancestor.name] != nil || rules.withoutIdentity.contains(ancestor.name)
          || names[ancestor.name] != nil
          || ancestor.uniquenessConstraints.contains { !$0.isEmpty && $0 != [key].compactMap(\.self) }
      }
      guard !isKnown, let root = root(of: entity.name) else { continue }
      if let name = try attribute(of: entity, root, acceptsNames) {
        names[entity.name] = [name]
      } else if let name = try dataKey(of: entity, root) {
        names[entity.name] = [name]
        withDataKeys.insert(entity.name)
      } else if !entity.isAbstract {
        lacking.append(entity.name)
      }
    }
  }

  /// Determines whether the first constraint of `entity` is a number that objects with kept keys have exchanged.
  private mutating func leaveOutNumbers(of entity: Entity, _ rules: MergeRules) throws(SQLiteError) {
    guard rules.identities[entity.name] == nil, let root = root(of: entity.name), lineage.contains(root.name) else {
      return
    }
    var rest = entity.uniquenessConstraints.filter { !$0.isEmpty }
    while let first = rest.first, first.contains(where: { isNumber($0, of: entity) }),
      try differsUnderKeys(first, entity, root)
    {
      rest.removeFirst()
      withoutNumbers[entity.name] = rest.first ?? []
    }
  }

  private func isNumber(_ name: String, of entity: Entity) -> Bool {
    entity.attributes.first { $0.name == name }?.type.isNumber == true
  }

  /// Returns whether objects that are similar under one key differ in the properties of `constraint`.
  private func differsUnderKeys(_ constraint: [String], _ entity: Entity, _ root: MatchRoot) throws(SQLiteError) -> Bool
  {
    var own: [Sided<String>] = []
    for name in constraint {
      let columns = Sided { side in root.relations[side].column(.attribute(Property(entity.name, name)))?.name.sqlName }
      // Links are excluded: their keys differ after renumbering.
      guard let source = columns.source, let destination = columns.destination else { continue }
      own.append(Sided(source, destination))
    }
    guard !own.isEmpty else { return false }
    let names = Set(own.map(\.destination))
    return try differs(root, without: names, isExchanged: true) { side in own.map { $0[side] } }
  }

  private func root(of entity: String) -> MatchRoot? {
    let name = model.root(of: entity)?.name
    return roots.first { $0.name == name }
  }

  /// Returns the identifying attribute of `entity`; `nil` for none, and for a tie.
  ///
  /// Of several, the one with most matches between the stores is used, then the one with the name of a key.
  private func attribute(of entity: Entity, _ root: MatchRoot, _ acceptsNames: Bool) throws(SQLiteError) -> String? {
    var found: [(name: String, columns: Sided<String>, isNamed: Bool)] = []
    for attribute in entity.attributes {
      guard let form = Form(attribute, of: entity, acceptsNames),
        let columns = try columns(of: Property(entity.name, attribute.name), form, root, acceptsNames)
      else { continue }
      found.append((attribute.name, columns, attribute.mayBeKey))
    }
    guard found.count > 1 else { return found.first?.name }
    var best: [(name: String, agreeing: Int64, isNamed: Int)] = []
    for one in found {
      let agreeing = try connection.integer(
        "SELECT count(*) FROM \(root.table(.source)) WHERE \(one.columns.source) IN "
          + "(SELECT \(one.columns.destination) FROM \(root.table(.destination)))"
      )
      best.append((one.name, agreeing ?? 0, one.isNamed ? 1 : 0))
    }
    best.sort { ($0.agreeing, $0.isNamed) > ($1.agreeing, $1.isNamed) }
    let isTie = (best[0].agreeing, best[0].isNamed) == (best[1].agreeing, best[1].isNamed)
    return isTie ? nil : best[0].name
  }

  /// The mean distance of keys from which they are no counter's; old rows that are deleted leave no such gaps.
  private static let distance: Int64 = 1_000
  /// The number that no counter of a file reaches, while times of Unix do.
  private static let high: Int64 = 1_000_000_000

  /// Returns the column of the key if its numbers are data in each store; `nil` if they may come from a counter.
  private func dataKey(of entity: Entity, _ root: MatchRoot) throws(SQLiteError) -> String? {
    guard root.relations.source.keyMayBeData, root.relations.destination.keyMayBeData,
      let column = root.relations.source.columns.first(where: { $0.columnRole.isKey }), column.targetRoot == nil,
      case .key(let property) = column.columnRole, property.entity == entity.name,
      root.relations.destination.column(.key(property)) != nil
    else { return nil }
    var isData = false
    for side in MatchSide.allCases {
      let (key, table) = (root.key(side), root.table(side))
      guard let lowest = try connection.integer("SELECT min(\(key)) FROM \(table)"),
        let highest = try connection.integer("SELECT max(\(key)) FROM \(table)")
      else { continue }
      if lowest < FoundIdentities.high {
        // One row says nothing.
        guard lowest < highest else { continue }
        let (range, isHuge) = highest.subtractingReportingOverflow(lowest)
        let most = (isHuge ? Int64.max : range) / FoundIdentities.distance
        let count = try connection.integer(
          "SELECT count(*) FROM (SELECT 1 FROM \(table) LIMIT ?1)", .integer(most + 2))
        guard let count, count - 1 <= most, try hasWideGaps(key, table) else { return nil }
      }
      isData = true
    }
    return isData ? property.name : nil
  }

  /// Returns whether a tenth of the gaps between keys is wide, and several of them, or the lowest key is high.
  ///
  /// Data comes in groups, such as the postal codes of a city, while a single row far from the others, or a counter that
  /// continued at another number, makes few wide gaps.
  private func hasWideGaps(_ key: String, _ table: String) throws(SQLiteError) -> Bool {
    try connection.integer(
      """
      SELECT 10 * wide >= gaps AND (wide > 1 OR lowest > ?1) FROM
      (SELECT sum(gap >= ?1 / 2) AS wide, count(gap) AS gaps, min(k) AS lowest FROM
        (SELECT \(key) AS k, \(key) - lag(\(key)) OVER (ORDER BY \(key)) AS gap FROM \(table)))
      """, .integer(FoundIdentities.distance)) == 1
  }

  /// The form of identifying values.
  private enum Form {
    /// Any form: the type or the name is sufficient.
    case any
    /// Texts in the form of a UUID, or 16 bytes.
    case uuid

    init?(_ attribute: Attribute, of entity: Entity, _ acceptsNames: Bool) {
      guard !attribute.isTransient, !attribute.isDerived else { return nil }
      switch attribute.type {
      case .uuid: self = .any
      case .string, .uri, .binary, .undefined:
        let isNamed = acceptsNames && attribute.mayBeOwnKey(of: entity.name)
        self = isNamed && attribute.type != .undefined ? .any : .uuid
      default: return nil
      }
    }

    /// Returns the condition that `value` has the form.
    func condition(_ value: String) -> String {
      let hex = "[0-9A-Fa-f]"
      let part = { (count: Int) in String(repeating: hex, count: count) }
      let text = [8, 4, 4, 4, 12].map(part).joined(separator: "-")
      return switch self {
      case .any: "\(value) IS NOT NULL"
      case .uuid:
        "CASE typeof(\(value)) WHEN 'text' THEN length(\(value)) IN (32, 36) "
          + "AND (\(value) GLOB '\(text)' OR \(value) GLOB '\(part(32))') "
          + "WHEN 'blob' THEN length(\(value)) = 16 ELSE 0 END"
      }
    }
  }

  /// Returns the columns of `property` in both stores; `nil` if it does not identify objects.
  private func columns(
    of property: Property,
    _ form: Form,
    _ root: MatchRoot,
    _ acceptsNames: Bool
  ) throws(SQLiteError) -> Sided<String>? {
    var columns: [String] = []
    for side in MatchSide.allCases {
      let relation = root.relations[side]
      guard let column = relation.column(.attribute(property)) else { return nil }
      let value = column.name.sqlName
      columns.append(value)
      var select = SelectStatement(
        columns: ["\(value) AS v", "\(form.condition(value)) AS f"],
        source: root.table(side)
      )
      if let codes = column.onlyIn, let entityCode = relation.entityCode() {
        select.conditions = ["\(entityCode) IN (\(codes.list))"]
      }
      // The first value of another form ends the search in a store without such an attribute.
      if try connection.integer("SELECT 1 FROM (\(select.sql)) WHERE f IS NOT 1 LIMIT 1") != nil {
        return nil
      }
      // A store without objects gives no evidence; a base may contain few common objects, and a destination none yet.
      let mayBeEmpty = side == .destination || acceptsNames && form == .any
      if !mayBeEmpty, try connection.integer("SELECT 1 FROM (\(select.sql)) LIMIT 1") == nil { return nil }
      // Sorting takes less time than counting the distinct values, which are searched one by one.
      let twice = "SELECT 1 FROM (\(select.sql)) GROUP BY v HAVING count(*) > 1 LIMIT 1"
      guard try connection.integer(twice) == nil else { return nil }
    }
    let found = Sided(columns[0], columns[1])
    guard lineage.contains(root.name) else { return found }
    // If similar objects under one key differ in it, it is not an identity but, for example, a revision's.
    return try differs(root) { [found[$0]] } ? nil : found
  }

  /// Returns whether objects that agree in most of their values under one key differ in `values`.
  ///
  /// - Parameters:
  ///   - root: Their root entity, whose objects kept their keys.
  ///   - columns: The columns of the destination that are not compared.
  ///   - isExchanged: Whether another object must have the source's values in the destination.
  ///   - values: The values in question.
  /// - Returns: Whether there is such a pair; false if there are no values to compare.
  /// - Throws: `SQLiteError` if a store cannot be read.
  private func differs(
    _ root: MatchRoot,
    without columns: Set<String> = [],
    isExchanged: Bool = false,
    _ values: (MatchSide) -> [String]
  ) throws(SQLiteError) -> Bool {
    let informative = Sided { side in root.informativeValues(side, without: columns) }
    let count = informative.source.count
    guard count > 0 else { return false }
    let rows = Sided { side in
      SelectStatement(
        columns: ["\(root.key(side)) AS k"] + values(side).enumerated().map { "\($1) AS u\($0)" }
          + informative[side].enumerated().map { "\($1) AS v\($0)" },
        source: root.table(side)
      ).sql
    }
    func sum(_ term: (Int) -> String) -> String {
      (0..<count).map { "(\(term($0)))" }.joined(separator: " + ")
    }
    func isInformative(_ value: String) -> String {
      "(\(value) IS NOT NULL AND \(value) NOT IN (0, ''))"
    }
    let agreeing = sum { "s.v\($0) IS d.v\($0) AND \(isInformative("s.v\($0)"))" }
    let all = sum { "\(isInformative("s.v\($0)")) OR \(isInformative("d.v\($0)"))" }
    let unequal = values(.source).indices.map { "s.u\($0) IS NOT d.u\($0)" }.joined(separator: " OR ")
    // Another object has the values in the other store.
    let others = values(.source).indices.map { "o.u\($0) IS s.u\($0)" }.joined(separator: " AND ")
    let exchanged =
      isExchanged ? " AND EXISTS (SELECT 1 FROM (\(rows.destination)) AS o WHERE \(others) AND o.k <> d.k)" : ""
    return try connection.integer(
      """
      SELECT 1 FROM (\(rows.source)) AS s JOIN (\(rows.destination)) AS d ON d.k = s.k
      WHERE (\(unequal)) AND (\(agreeing)) * 2 >= (\(all)) AND (\(agreeing)) > 0\(exchanged) LIMIT 1
      """
    ) != nil
  }
}

extension AttributeType {
  var isNumber: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float: true
    default: false
    }
  }
}

extension MergeRules {
  /// Uses `found` as the identities of entities without one.
  package mutating func take(_ found: FoundIdentities) {
    for (entity, names) in found.names {
      identities[entity] = names
      foundIdentities[entity] = names.first
    }
    entitiesWithDataKeys.formUnion(found.withDataKeys)
    identities.merge(found.withoutNumbers) { own, _ in own }
  }

  /// Returns the notes on identifying attributes that were found.
  package func identityNotes(_ model: Model) -> [ReportNote] {
    let terms = model.terms
    var notes: [ReportNote] = []
    for (isKey, reason) in [
      (false, "all values differ"), (true, "a key whose numbers are data, as they are far apart"),
    ] {
      let found = foundIdentities.filter { entitiesWithDataKeys.contains($0.key) == isKey }
      guard let first = found.keys.min() else { continue }
      let list = found.sorted { $0.key < $1.key }.map { "\($0).\($1)" }
      notes.append(
        ReportNote(
          .identityFound,
          "\(terms.objects) are matched by \(list.joined(separator: ", ")) (\(reason))",
          remedy: "\(say: .identity, "\(first): none") turns this off"
        )
      )
    }
    let numbered = identities.filter { $0.value.isEmpty }.keys.sorted()
    if !numbered.isEmpty {
      notes.append(
        ReportNote(
          .identityMissing,
          "\(terms.objects) of \(numbered.joined(separator: ", ")) are matched by their keys: a number that must be unique was "
            + "given to another \(terms.object)"
        )
      )
    }
    if !unequalKeys.isEmpty {
      let list = unequalKeys.sorted { $0.key < $1.key }.map {
        "\($1.counted(terms.object)) of \($0)"
      }
      notes.append(
        ReportNote(
          .keysNotMatched,
          "the destination has other \(terms.objects) under the keys of \(list.joined(separator: ", ")), which are not matched",
          remedy:
            "\(say: .sameLineage) treats equal keys as the same \(terms.object); adding \(say: .conflicts) FILE "
            + "lists these pairs, so that each can be decided"
        )
      )
    }
    for (entity, count) in furtherPairs.sorted(by: { $0.key < $1.key }) {
      let first = identity(of: entity, in: model)?.joined(separator: ", ") ?? ""
      let further = furtherIdentity(of: entity, in: model).joined(separator: ", ")
      notes.append(
        ReportNote(
          .furtherIdentity,
          "\(count.counted(terms.object)) of \(entity) \(count == 1 ? "is" : "are") matched by \(further), which must be "
            + "unique, because \(first) matches none",
          remedy: "\(say: .identity, "\(entity): \(first)") turns this off"
        )
      )
    }
    // Parts that no policy would add are not reported.
    let parts = surplusParts.merging(idleParts) { $0 - $1 }.filter { $0.value > 0 }
    if let first = parts.keys.min() {
      let list = parts.sorted { $0.key < $1.key }.map { "\($1.counted(terms.object)) of \($0)" }
      let updates: [DecantError.Text] = parts.keys.sorted().map { "\(say: .merge, "\($0): update")" }
      notes.append(
        ReportNote(
          .partsNotAdded,
          "not added, because their owner is already in the destination: \(list.joined(separator: ", "))",
          remedy: "\(updates.joined(separator: " ")) adds \(parts.count == 1 && parts[first] == 1 ? "it" : "them"), "
            + "and gives existing ones the source's values"
        )
      )
    }
    return notes + likenessNotes(terms) + undatedNotes(terms)
  }
}
