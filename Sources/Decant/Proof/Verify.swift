internal import SQLite

/// Proves, at any later time, that a store holds everything another one holds.
///
/// Every object of the source is there and equal; the destination may hold more. Objects are matched
/// by a kept ID table, else by key.
public struct Verify: Sendable {
  public let source: StoreLocation
  public let destination: StoreLocation
  /// The ID table that the copy kept; without one, keys must be the same in both stores.
  public var idTableFile: String?
  /// How to read a store that does not hold its own model: a model's place.
  public var model: String?
  /// How many differences are named of each root entity and relationship, at most.
  public var differenceLimit = 20
  private let opener: any StoreOpener

  public init(
    _ source: StoreLocation,
    against destination: StoreLocation,
    opener: any StoreOpener
  ) {
    self.source = source
    self.destination = destination
    self.opener = opener
  }

  /// Reads both stores and compares; blocks until it is done.
  public func run(
    cancellation: Cancellation = Cancellation(),
    _ onEvent: (CopyEvent) -> Void = { _ in }
  ) throws(DecantError) -> VerifyReport {
    var options = CopyOptions()
    options.model = model
    let source = try opener.openSource(self.source, options: options)
    let destination = try opener.openSource(self.destination, options: options)
    let bench = try Workbench(source: source, encoding: destination.textEncoding)
    bench.setProgressCheck(StopCheck(cancellation))
    try destination.attach(to: bench.connection, as: Planner.destination)
    try explaining("cannot begin reading") { () throws(SQLiteError) in
      try bench.beginReading()
    }
    for (schema, store) in [(Workbench.source, source), (Planner.destination, destination)] {
      try StructureCheck(of: schema, on: bench.connection)
        .run(.quick, place: store.identity.place)
    }
    if let gap = source.modelGap ?? destination.modelGap,
      (source.modelGap == nil) != (destination.modelGap == nil)
    {
      throw gap
    }
    var sourceLayout = source.layout
    // A store that was added to, as an ID table says, keeps its own tables.
    sourceLayout.plainTables.removeAll { $0.isSediment || idTableFile != nil }
    var plan = try PlanBuilder(
      sourceModel: source.model,
      sourceLayout: sourceLayout,
      destinationModel: destination.model,
      destinationLayout: destination.layout,
      sourceSchema: Workbench.source
    ).plan(filters: [])
    try plan.checkUnmatchedColumns(on: bench.connection, place: source.identity.place)
    try explaining("cannot look for large values") { () throws(SQLiteError) in
      try plan.findLargeValues(on: bench.connection)
    }
    let table = try idTableFile.map { file throws(DecantError) in
      try IDTableFile(file).read(from: source.identity, to: destination.identity)
    }
    let ids = IDTable()
    let counts = try Resolve(
      connection: bench.connection,
      sourceModel: source.model,
      sourceLayout: source.layout,
      sourceSchema: Workbench.source,
      counters: [:],
      runs: table?.runs
    ).fill(ids)
    try bench.offer(ids)
    let proof = CopyProof(
      plan: plan,
      layout: destination.layout,
      ids: ids,
      sourceFiles: source.externalStorage,
      destinationFiles: destination.externalStorage
    )
    onEvent(.began(.check))
    let sums = try explaining("cannot read the stores") { () throws(SQLiteError) in
      let expected = try proof.expected(on: bench.connection) { _ in !cancellation.isCancelled }
      let actual = try proof.actual(
        on: bench.connection,
        schema: Planner.destination,
        .images
      ) { _ in !cancellation.isCancelled }
      return (expected: expected, actual: actual)
    }
    guard !cancellation.isCancelled else {
      throw DecantError(.interrupted, "the comparison was stopped")
    }
    let differences = try explaining("cannot find what differs") { () throws(SQLiteError) in
      let finder = DifferenceFinder(
        proof: proof,
        connection: bench.connection,
        schema: Planner.destination,
        scope: .images
      )
      var found: [Difference] = []
      var isCut = false
      for step in proof.differingSteps(sums.expected, sums.actual) {
        // One more than is named tells that there are more.
        let some = try finder.differences(in: step, limit: differenceLimit + 1)
        isCut = isCut || some.count > differenceLimit
        found += some.prefix(differenceLimit)
      }
      return (found, isCut)
    }
    let lost = try explaining("cannot look for tables") { () throws(SQLiteError) in
      try lostTables(sourceLayout, destination.layout, on: bench.connection)
    }
    return VerifyReport(
      source: source.identity,
      destination: destination.identity,
      isMatchedByTable: idTableFile != nil,
      entities: source.model.entities.compactMap { entity in
        counts[entity.name].map { counts in
          VerifyReport.Entity(name: entity.name, source: counts.source, expected: counts.included)
        }
      },
      rejectedCount: table?.rejectedCount ?? 0,
      isEqual: sums.expected == sums.actual && lost.isEmpty,
      differences: lost + differences.0,
      isCutOff: differences.1,
      notes: source.notes + destination.notes
    )
  }
}

extension Verify {
  /// The app's own tables with rows that only the source has.
  private func lostTables(_ source: Layout, _ destination: Layout, on connection: Connection)
    throws(SQLiteError) -> [Difference]
  {
    var lost: [Difference] = []
    for table in source.plainTables where !destination.plainTables.contains(table) {
      let rows = "SELECT 1 FROM \(Workbench.source).\(table.name.sqlName) LIMIT 1"
      guard try connection.integer(rows) != nil else { continue }
      lost.append(Difference(entity: "table \(table.name)", keys: [], kind: .missing))
    }
    return lost
  }
}

/// What a comparison of two stores found.
public struct VerifyReport: Sendable, Hashable {
  public var source: StoreIdentity
  public var destination: StoreIdentity
  /// Whether objects were matched by a kept ID table; else by key.
  public var isMatchedByTable: Bool
  public var entities: [Entity]
  /// Objects of which the ID table says that the copy rejected them.
  public var rejectedCount: Int64
  /// Whether every object and link that was compared is in the destination and equal.
  public var isEqual: Bool
  /// The first objects and links that differ; not all, where there are many.
  public var differences: [Difference]
  /// Whether there are more differences than are named.
  public var isCutOff: Bool
  public var notes: [String]

  /// The objects of one concrete entity.
  public struct Entity: Sendable, Hashable {
    public var name: String
    /// Objects in the source.
    public var source: Int64
    /// Those that should be in the destination: all, or those that the ID table knows.
    public var expected: Int64
  }
}
