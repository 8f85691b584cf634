package import DecantBase
package import DecantPlan
package import DecantStore
package import DecantSQLite

/// A store viewed through a mapping: the source's objects as objects of the destination's model.
///
/// Copy, merge, link search and proof read it like any other store. If only names change, the source's own table is
/// used; otherwise views in the temporary database.
package struct MappedStore: MappedSource {
  let base: any SourceStore
  package let model: Model
  package let layout: Layout
  /// The conditions of the mapping, over the destination's entities.
  package let conditions: [CopyPlan.EntityFilter]
  /// The description of the mapping in the plan: equal mappings of equal models have equal texts.
  package let definitions: [String]
  let lossNotes: [ReportNote]
  let tables: MappedTables
  private let links: [MappedLinks]
  /// The key for hashing values, which is kept only here, and is never in a statement.
  private let key = AnonymizationFunction.randomKey()

  /// Presents `base` as objects of the destination's model.
  ///
  /// - Parameters:
  ///   - base: The source.
  ///   - mapping: The mapping.
  ///   - destination: The store whose model is used.
  ///   - seed: Sixteen bytes for random identifiers.
  ///   - missing: The requested rules for links with a missing target.
  ///   - identities: The requested identities by destination entity, which override those of the mapping.
  /// - Throws: `DecantError` of the family `.usage` for a mistake, with its position in the file.
  package init(
    _ base: any SourceStore,
    by mapping: Mapping,
    for destination: any DestinationStore,
    seed: [UInt8],
    missing: MissingRules = MissingRules(),
    identities: [String: [String]] = [:]
  ) throws(DecantError) {
    if let gap = base.modelGap { throw gap }
    self.base = base
    model = destination.model
    let resolver = MappingResolver(
      mapping: mapping,
      source: MappingResolver.ModelSide(base.model, base.layout, place: base.identity.place),
      destination: MappingResolver.ModelSide(destination.model, destination.layout, place: destination.identity.place)
    )
    let (roots, links) = try resolver.resolve()
    self.links = links
    tables = MappedTables(
      mapping: mapping,
      source: resolver.source,
      destination: resolver.destination,
      roots: roots,
      storeUUID: base.identity.uuid,
      seed: seed,
      links: links,
      stubRules: StubRules(
        missing,
        identities: identities.merging(mapping.saidIdentities) { said, _ in said },
        layout: destination.layout
      )
    )
    try MappedStore.checkIdentifiers(roots, base, mapping)
    var relations: [Relation] = []
    var definitions: [String] = []
    for root in roots {
      let mapped = MappedRelation(mapped: root, store: tables)
      let (relation, view) = try mapped.relation(in: CopySession.source)
      relations.append(relation)
      definitions.append("\(root.root) is \(view ?? "\(relation.table) \(relation.columns.map(\.name))")")
    }
    var linkRelations: [LinkRelation] = []
    for link in links {
      let (relation, view) = MappedLinkTable(mapped: link, tables: tables).relation(in: CopySession.source)
      linkRelations.append(relation)
      definitions.append("\(link.relationship) is \(view ?? relation.table)")
    }
    var layout = Layout(relations: relations, linkRelations: linkRelations, plainTables: base.layout.plainTables)
    layout.nonIntegerKeys = MappedStore.nonIntegerKeys(of: destination.layout, in: layout, roots)
    self.layout = layout
    conditions = MappedStore.conditions(of: roots, tables)
    definitions += conditions.map { "\($0.entity) where \($0.expression)" }
    definitions += roots.flatMap(\.parts).compactMap { part in
      part.condition.map { "\(part.entity) of \(part.source) where \($0)" }
    }
    definitions += roots.flatMap(\.parts).flatMap { part in
      part.values.compactMap { columnRole, value -> String? in
        guard case .position(let link) = columnRole, case .place(_, by: let text?) = value else {
          return nil
        }
        return "\(part.entity) of \(part.source) in the list of \(link) by \(text)"
      }.sorted()
    }
    self.definitions = definitions
    let losses = MappingLosses(resolver: resolver, roots: roots, links: links)
    lossNotes =
      (losses.entities.map { "\($0)" } + losses.properties.map { "\($0)" }).map {
        ReportNote(.discarded, "\($0) of the source is discarded")
      }
  }

  /// Returns the destination's links by values, over the mapped objects' columns for these values.
  ///
  /// Links by values that an expression computes are left out, since no index finds their targets.
  private static func nonIntegerKeys(
    of destination: Layout,
    in mapped: Layout,
    _ roots: [MappedRoot]
  ) -> [NonIntegerKey] {
    func isPlain(_ columnRole: ColumnRole, of root: String) -> Bool {
      (roots.first { $0.root == root }?.parts ?? []).allSatisfy { part in
        guard case .column? = part.values[columnRole] else { return false }
        return true
      }
    }
    func columns(_ names: [String], of root: String, arePlain: Bool) -> [String]? {
      guard let there = destination.relation(of: root), let here = mapped.relation(of: root) else {
        return nil
      }
      let found = names.compactMap { name -> String? in
        guard let column = there.columns.first(where: { $0.name == name }),
          !arePlain || isPlain(column.columnRole, of: root)
        else { return nil }
        return here.column(column.columnRole)?.name
      }
      return found.count == names.count ? found : nil
    }
    return destination.nonIntegerKeys.compactMap { link in
      guard let own = columns(link.columns, of: link.root, arePlain: false),
        let target = columns(link.targetColumns, of: link.targetRoot, arePlain: true)
      else { return nil }
      var link = link
      (link.columns, link.targetColumns) = (own, target)
      return link
    }
  }

  /// Throws if identifiers depend on a store identifier that the source does not have.
  private static func checkIdentifiers(
    _ roots: [MappedRoot],
    _ base: any SourceStore,
    _ mapping: Mapping
  ) throws(DecantError) {
    guard base.identity.uuid == nil else { return }
    for rule in roots.flatMap(\.parts).compactMap(\.rule) {
      guard let made = rule.generated.first(where: { $0.generator == .object }) else { continue }
      throw mapping.mistake(
        "“\(base.identity.place)” has no store identifier to generate \(rule.name.text).\(made.attribute.text) from",
        at: made.attribute.mark,
        remedy:
          "build it from attributes, as in \(made.attribute.text): { uuid5: [title] }, or use uuid4"
      )
    }
  }

  /// Returns the conditions of the parts, in the same form as those of `--where`.
  private static func conditions(of roots: [MappedRoot], _ tables: MappedTables) -> [CopyPlan.EntityFilter] {
    roots.flatMap { root -> [CopyPlan.EntityFilter] in
      let entities = Set(root.parts.filter { $0.condition != nil }.map(\.entity)).sorted()
      return entities.map { entity in
        CopyPlan.EntityFilter(
          entity: entity,
          root: root.root,
          entities: [entity],
          expression: "\(EntityView.key) IN (SELECT \(EntityView.key) "
            + "FROM temp.\(MappedStore.choiceName(of: entity).quotedName))"
        )
      }
    }
  }

  static func choiceName(of entity: String) -> String { "chosen \(entity)" }

  /// Creates the views on a connection where the source is attached as `schema`.
  package func offer(on connection: Connection, as schema: String) throws(DecantError) {
    var views: [(name: String, select: String)] = []
    for root in tables.roots {
      let mapped = MappedRelation(mapped: root, store: tables)
      if let view = try mapped.relation(in: schema).view { views.append((mapped.viewName, view)) }
      for filter in conditions where filter.root == root.root {
        views.append((MappedStore.choiceName(of: filter.entity), choice(of: filter.entity, root, schema)))
      }
    }
    for link in links {
      let table = MappedLinkTable(mapped: link, tables: tables)
      if let view = table.relation(in: schema).view { views.append((table.viewName, view)) }
    }
    try explaining("cannot register SQL functions") { () throws(SQLiteError) in
      try MappingFunctions.register(on: connection, key: key)
    }
    // The tables that views read need not exist before the views are used.
    for (name, select) in views {
      try explaining("cannot create “\(name)”") { () throws(SQLiteError) in
        try connection.run("CREATE TEMP VIEW \(name.quotedName) AS \(select)")
      }
    }
  }

  /// Computes everything that depends on the objects that `connection` sees at this moment.
  package func settle(on connection: Connection, as schema: String) throws(DecantError) {
    for pairs in MappedPairs.all(tables) { try pairs.fill(schema, on: connection) }
    for stubs in stubs {
      try stubs.make(on: connection)
      if stubs.mapped.needsKeys {
        try MissingKeys(mapped: stubs.mapped, tables: tables).make(on: connection)
      }
    }
    for root in tables.roots {
      try tables.keys(of: root)?.fill(schema, on: connection)
    }
    for stubs in stubs where stubs.mapped.needsKeys {
      try MissingKeys(mapped: stubs.mapped, tables: tables).fill(schema, on: connection)
    }
    let backLinks = MappedBackLinks.all(tables)
    let places = MappedPlaces.all(tables)
    for links in backLinks { try links.make(on: connection) }
    for places in places { try places.make(on: connection) }
    for links in backLinks { try links.fill(schema, on: connection) }
    for places in places { try places.fill(schema, on: connection) }
    for link in links {
      try MappedLinkTable(mapped: link, tables: tables).fill(schema, on: connection)
    }
    try MadeIdentifiers(tables, in: schema).check(on: connection)
  }

  /// Returns the SELECT of the keys of `entity`'s objects that the mapping includes.
  private func choice(of entity: String, _ root: MappedRoot, _ schema: String) -> String {
    if let keys = tables.keys(of: root) {
      return SelectStatement(
        columns: ["\"\(MappedKeys.id)\" AS \(EntityView.key)"],
        source: keys.table,
        conditions: ["NOT \"\(MappedKeys.isLeftOut)\""]
      ).sql
    }
    let parts = root.parts.filter { $0.entity == entity }
    let selects = parts.map { part in
      SelectStatement(
        columns: ["\(part.source.quotedName).\(EntityView.key) AS \(EntityView.key)"],
        source: "\(tables.rows(of: part.source, in: schema)) AS \(part.source.quotedName)",
        conditions: [part.condition.map { "(\($0)\n)" }].compactMap(\.self)
      ).sql
    }
    return tables.outlines(of: parts, in: schema) + selects.joined(separator: "\nUNION ALL\n")
  }
}

extension MappedStore {
  package var form: SourceForm { .mapped(self) }
  package var extras: StoreExtras { base.extras }
  package var identity: StoreIdentity { base.identity }
  package var textEncoding: String { base.textEncoding }
  package var notes: [ReportNote] { base.notes + lossNotes }
  package var readingNotes: [ReportNote] { base.readingNotes }
  package var path: String? { base.path }
  package var externalStorage: (any ExternalStorage)? { base.externalStorage }
  package var modelGap: DecantError? { nil }
  package var unknownCollations: [UnknownCollation] { base.unknownCollations }

  package func attach(to connection: Connection, as schema: String) throws(DecantError) {
    try base.attach(to: connection, as: schema)
  }

  package func facts(on connection: Connection, schema: String) throws(DecantError) -> StoreFacts {
    try base.facts(on: connection, schema: schema)
  }
}
