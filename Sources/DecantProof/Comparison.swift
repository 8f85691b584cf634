package import DecantBase
package import DecantMatch
package import DecantPlan
package import DecantStore
package import DecantSQLite

/// Two stores on one connection, each in one state, and the correspondence between their objects.
///
/// Verify and diff share it: opening, checking, planning, and matching objects.
package final class Comparison {
  package let source: any SourceStore
  package let destination: any SourceStore
  package let session: CopySession
  package let plan: CopyPlan
  /// The mapping from source keys to destination keys, available to SQL.
  package let ids: IDTable
  /// The notes of both stores, and those about their comparison.
  let notes: [ReportNote]
  /// The actual and expected number of objects, for each concrete entity of the source.
  package let counts: [String: Resolve.EntityCounts]
  /// The kept ID table, if one was given.
  let table: IDTableFile.Content?
  /// The comparison of the complete schemas of the two stores.
  let schema: SchemaComparison
  /// The root entities whose equal keys mean equal objects, set after pairing.
  var lineage: Set<String> = []
  /// The objects of the second store, set when they are first needed.
  private var there: IDTable?
  /// The owners of lists in another order, for the proofs that refer to them.
  var orderTables: [TemporaryTable] = []

  package var connection: Connection { session.connection }

  /// What to compare, and how.
  package struct Request {
    package var source: StoreLocation
    package var destination: StoreLocation
    package var model: String?
    package var idTableFile: String?
    package var links: [CopyOptions.Link]
    package var noLinks: [Property] = []
    package var noLinkPlaces: [Property: String] = [:]
    /// The identities of objects, for link conditions that refer to rows.
    package var rules: MergeRules?
    package var leftOutTables: [String] = []
    /// Whether stores with different models are compared in their common part instead of being refused.
    package var comparesShared = false
    /// Whether rows without an integer key are numbered, if `rules` specify a merge with a base.
    package var numbersRows = false
    package var opener: any StoreOpener

    package init(
      source: StoreLocation,
      destination: StoreLocation,
      model: String? = nil,
      idTableFile: String? = nil,
      links: [CopyOptions.Link],
      noLinks: [Property] = [],
      noLinkPlaces: [Property: String] = [:],
      rules: MergeRules? = nil,
      leftOutTables: [String] = [],
      comparesShared: Bool = false,
      numbersRows: Bool = false,
      opener: any StoreOpener
    ) {
      (self.source, self.destination, self.model) = (source, destination, model)
      (self.idTableFile, self.links, self.noLinks) = (idTableFile, links, noLinks)
      (self.noLinkPlaces, self.rules, self.leftOutTables) = (noLinkPlaces, rules, leftOutTables)
      (self.comparesShared, self.numbersRows, self.opener) = (comparesShared, numbersRows, opener)
    }
  }

  package init(_ request: Request, _ cancellation: Cancellation) throws(DecantError) {
    var options = CopyOptions()
    options.model = request.model
    options.links = request.links + (request.idTableFile.map { IDTableFile($0).links() } ?? [])
    options.noLinks = request.noLinks
    options.noLinkPlaces = request.noLinkPlaces
    options.merge = request.rules
    options.leftOutTables = request.leftOutTables
    let opener = request.opener
    let whole = try opener.openSource(request.source, facing: request.destination, options: options)
    options.takesOtherSpelling = false
    options.links = whole.portableLinks ?? options.links
    let other = try opener.openSource(request.destination, facing: request.source, options: options)
    let stores = Sided<any SourceStore>(whole, other)
    // A merge with a base compares it with each of the two stores, and checks the names itself.
    if request.rules?.base == nil { try Comparison.checkLinks(options.links, stores) }
    let shared =
      request.comparesShared
      ? SharedModel(Sided { stores[$0].model }, Sided { stores[$0].layout }) : nil
    var source: any SourceStore = shared?.narrowed(whole, .source) ?? whole
    var destination: any SourceStore = shared?.narrowed(other, .destination) ?? other
    let session = try CopySession(source: source, encoding: destination.textEncoding)
    session.setProgressCheck(StopCheck(cancellation))
    try destination.attach(to: session.connection, as: CopySession.destination)
    try explaining("cannot begin reading") { () throws(SQLiteError) in
      try session.beginReading()
    }
    for (schema, store) in [(CopySession.source, source), (CopySession.destination, destination)]
    where !store.isTemporary {
      try StructureCheck(of: schema, on: session.connection)
        .run(.quick, place: store.identity.place)
    }
    if let gap = source.modelGap ?? destination.modelGap,
      (source.modelGap == nil) != (destination.modelGap == nil)
    {
      throw gap
    }
    if request.numbersRows, let rules = request.rules,
      let rows = NumberedRows(rules, source.model, Sided(source.layout, destination.layout))
    {
      try explaining("cannot number rows") { () throws(SQLiteError) in
        try rows.offer(.source, in: CopySession.source, on: session.connection)
        try rows.offer(.destination, in: CopySession.destination, on: session.connection)
      }
      source = NarrowedStore(base: source, model: source.model, layout: rows.layout(.source, in: CopySession.source))
      destination = NarrowedStore(
        base: destination,
        model: destination.model,
        layout: rows.layout(.destination, in: CopySession.destination)
      )
    }
    self.source = source
    self.destination = destination
    self.session = session
    schema = try explaining("cannot read the schemas") { () throws(SQLiteError) in
      try SchemaComparison(stores, on: session.connection)
    }
    var layout = source.layout
    // According to the ID table the destination is a merged store, which keeps its own tables.
    layout.plainTables.removeAll {
      $0.isSyncMetadata || $0.isInternal || request.idTableFile != nil
    }
    let builder = PlanBuilder(
      sourceModel: source.model,
      sourceLayout: layout,
      destinationModel: destination.model,
      destinationLayout: destination.layout,
      sourceSchema: CopySession.source,
      isComparison: true
    )
    var plan = try builder.plan(filters: [])
    try builder.learnSpellings(on: session.connection)
    try plan.checkUnmatchedColumns(on: session.connection, place: source.identity.place)
    try plan.checkSingleOwners(on: session.connection, place: source.identity.place)
    try explaining("cannot look for large values") { () throws(SQLiteError) in
      try plan.findLargeValues(on: session.connection)
    }
    plan.proveKeyLinks(source.layout, destination.layout)
    self.plan = plan
    notes = try source.notes + destination.notes + RoundedDates(source, destination).notes(on: session.connection)
    table = try request.idTableFile.map { file throws(DecantError) in
      try IDTableFile(file).read(from: source.identity, to: destination.identity)
    }
    ids = IDTable()
    counts = try Resolve(
      connection: session.connection,
      sourceModel: source.model,
      sourceLayout: source.layout,
      sourceSchema: CopySession.source,
      counters: [:],
      runs: table?.runs
    ).fill(ids)
    try session.offer(ids, files: destination.externalStorage)
    // Plain databases have no identifier that would reveal the ID table of another copy.
    if let file = request.idTableFile, counts.values.contains(where: { $0.source > 0 }),
      !counts.values.contains(where: { $0.included > 0 })
    {
      throw DecantError(
        .wrongFile,
        "“\(file)” is the ID table of a different copy: it has no object of “\(source.identity.place)”",
        place: "\(option: .ids)",
        remedy: "pass the file that was written when this copy was made"
      )
    }
  }

  deinit {
    // The maps may hold statements of the connection, which retains the functions that hold the maps.
    ids.removeAll()
    there?.removeAll()
  }

  /// The root entities whose objects have the same keys in both stores.
  var keptRoots: Set<String> {
    Set(
      source.layout.relations.map(\.root).filter { root in
        if case .keep = ids.map(of: root)?.form { true } else { false }
      }
    )
  }

  /// Whether objects have other keys in the second store, as in a merged store.
  var isRenumbered: Bool {
    keptRoots.count < source.layout.relations.count { $0.keyColumn != nil }
  }

  /// Returns the note on tables that are not compared in a store whose objects have other keys.
  ///
  /// Their rows have no integer key in one of the stores, or belong to the app itself.
  func unreadTables() throws(DecantError) -> [ReportNote] {
    guard isRenumbered else { return [] }
    let tables = try explaining("cannot count the rows of “\(source.identity.place)”") { () throws(SQLiteError) in
      var tables: [String] = []
      for table in source.layout.plainTables where !table.isSyncMetadata && !table.isInternal {
        let name = "\(CopySession.source).\(table.name.sqlName)"
        let count = try connection.integer("SELECT count(*) FROM \(name)") ?? 0
        if count > 0 { tables.append("\(table.name) (\(count.counted("row")))") }
      }
      return tables
    }
    guard !tables.isEmpty else { return [] }
    return [
      ReportNote(
        .tablesNotCompared,
        "not compared, as only one of the stores has an integer key for their rows, or as they are the app's own: "
          + tables.joined(separator: ", ")
      )
    ]
  }

  /// Finds the objects of the second store, and makes them available to SQL as `there`.
  ///
  /// - Parameter allowsMisplacedObjects: Whether the tables may hold objects of entities that do not belong there.
  /// - Returns: The number of objects for each concrete entity, and their keys.
  /// - Throws: `DecantError` if they cannot be read.
  func offerThere(allowsMisplacedObjects: Bool = false) throws(DecantError) -> (
    counts: [String: Resolve.EntityCounts], table: IDTable
  ) {
    let there = IDTable()
    self.there = there
    var resolve = Resolve(
      connection: connection,
      sourceModel: destination.model,
      sourceLayout: destination.layout,
      sourceSchema: CopySession.destination,
      counters: [:]
    )
    resolve.allowsMisplacedObjects = allowsMisplacedObjects
    let counts = try resolve.fill(there)
    try explaining("cannot register functions") { () throws(SQLiteError) in
      try connection.register(ThereFunction(there), as: "there", .directOnly)
    }
    return (counts, there)
  }

  /// Returns the proof of `plan`, which is the whole plan of this comparison or a part of it.
  package func proof(_ plan: CopyPlan) -> CopyProof {
    CopyProof(
      plan: plan,
      layout: destination.layout,
      ids: ids,
      sourceFiles: source.externalStorage,
      destinationFiles: destination.externalStorage
    )
  }

  /// Computes the hashes of both sides of `proof`, limited to corresponding objects.
  func sums(
    _ proof: CopyProof,
    _ cancellation: Cancellation,
    _ tell: (WorkEvent) -> Void
  ) throws(DecantError) -> (expected: ProofSums, actual: ProofSums) {
    try withoutActuallyEscaping(tell) { tell throws(DecantError) in
      try sums(proof, cancellation, ProofProgress(rowCounts(of: proof), cancellation, tell))
    }
  }

  private func rowCounts(of proof: CopyProof) throws(DecantError) -> [String: Int64] {
    var counts: [String: Int64] = [:]
    for step in proof.plan.steps {
      counts[step.name] = try explaining("cannot count \(step.name)") {
        () throws(SQLiteError) in
        guard case .objects(let root) = step.kind else {
          return try step.rowCount(on: connection, ids: ids)
        }
        return ids.map(of: root)?.existing.count ?? 0
      }
    }
    return counts
  }

  private func sums(
    _ proof: CopyProof,
    _ cancellation: Cancellation,
    _ progress: ProofProgress
  ) throws(DecantError) -> (expected: ProofSums, actual: ProofSums) {
    let sums = try explaining("cannot read the stores") { () throws(SQLiteError) in
      let expected = try proof.expected(on: connection) { progress.begin($0) }
      let actual = try proof.actual(on: connection, schema: CopySession.destination, .images) { progress.begin($0) }
      return (expected: expected, actual: actual)
    }
    guard !cancellation.isCancelled else {
      throw DecantError(.interrupted, "the comparison was interrupted")
    }
    return sums
  }

  /// Throws for the first of `links` whose table none of the compared databases has.
  private static func checkLinks(_ links: [CopyOptions.Link], _ stores: Sided<any SourceStore>) throws(DecantError) {
    guard stores.source.model.isFromTables, stores.destination.model.isFromTables else { return }
    let names = [stores.source.layout, stores.destination.layout].flatMap { layout in
      layout.relations.map(\.table) + layout.linkRelations.map(\.table) + layout.plainTables.map(\.name)
    }
    guard let link = links.first(where: { link in !names.contains { $0.isSameName(as: link.property.entity) } }) else {
      return
    }
    let name = link.property.entity
    let place: DecantError.Text = link.place.map { "\($0)" } ?? "\(option: .link, "\(link)")"
    throw DecantError(
      .unknownName,
      "there is no table \(name) in “\(stores.source.identity.place)” or “\(stores.destination.identity.place)”",
      place: place,
      remedy: name.nearest(in: names).map { "did you mean \($0)?" } ?? "there are \(names.joined(separator: ", "))",
      remedies: [.correctName(name, among: names)]
    )
  }

  /// Returns the finder of individual differences between the two sides of `proof`.
  func finder(_ proof: CopyProof) -> DifferenceFinder {
    DifferenceFinder(proof: proof, connection: connection, schema: CopySession.destination, scope: .images)
  }

  /// Returns the app's own tables of `layout` that contain rows and are missing in `other`.
  func lostTables(_ layout: Layout, _ schema: String, _ other: Layout) throws(DecantError) -> [String] {
    try explaining("cannot look for tables") { () throws(SQLiteError) in
      var lost: [String] = []
      for table in layout.plainTables
      where !table.isSyncMetadata && !table.isInternal && !other.plainTables.contains(table) {
        let rows = "SELECT 1 FROM \(schema).\(table.name.sqlName) LIMIT 1"
        if try connection.integer(rows) != nil { lost.append(table.name) }
      }
      return lost
    }
  }
}
