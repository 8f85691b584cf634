public import DecantBase
internal import DecantMatch
public import DecantPlan
public import DecantStore
internal import DecantSQLite

/// The comparison of two stores in both directions; it changes neither.
///
/// Objects are paired as in a merge. Values and links of paired objects are compared; unpaired objects are reported as
/// existing in one store only. Many-to-many links are counted only between paired objects; those of an unpaired object
/// are not counted separately.
public struct Diff: Runnable {
  public let a: StoreLocation
  public let b: StoreLocation
  /// The ID table kept by a copy from A to B; without one, objects are matched.
  public var idTableFile: String?
  /// The place of a model to read a store that does not contain its own.
  public var model: String?
  /// The mapping from the first store's objects to the second store's model; `nil` if the models agree.
  public var mapping: Mapping?
  /// Links that a plain database does not declare.
  public var links: [LinkDeclaration] = []
  /// Columns that look like links but are not; only their names are checked.
  public var noLinks: [Property] = []
  /// The positions of these in a links file.
  private var noLinkPlaces: [Property: String] = [:]
  /// The identities of objects, and whether both stores have a common origin; policies are ignored.
  public var rules = MergeRules(.skip)
  /// The entities to compare, including their sub-entities; empty for all.
  public var entities: [String] = []
  /// The maximum number of differences named for each root entity and relationship; negative numbers count as 0.
  public var differenceLimit = DifferenceLimit.standard
  /// Whether the values of named differences are shown.
  public var showsValues = false
  let opener: any StoreOpener

  package init(_ a: StoreLocation, _ b: StoreLocation, opener: any StoreOpener) {
    self.a = a
    self.b = b
    self.opener = opener
  }

  /// Takes the links from the options of a copy.
  ///
  /// - Parameter options: The options; all others are ignored.
  package mutating func take(linksOf options: CopyOptions) {
    (links, noLinks, noLinkPlaces) = (options.links, options.noLinks, options.noLinkPlaces)
  }

  /// The comparison; it never changes a store.
  public var operation: DecantOperation<DiffReport> {
    DecantOperation("comparison", mapping == nil ? .compare : .mappedCompare) {
      cancellation,
      tell throws(DecantError) in
      try withoutActuallyEscaping(tell) { tell throws(DecantError) in
        try compared(listLimit: nil, cancellation, tell).report
      }
    }
  }

  /// Compares the stores.
  ///
  /// - Parameters:
  ///   - listLimit: The maximum number of listed objects and links for each entity and relationship; `nil` for no list.
  ///   - cancellation: Stops the comparison.
  ///   - onEvent: Called for each event.
  /// - Returns: The report; the stores, still held in the compared state; and the list, which is `nil` if only schemas
  ///   differ.
  /// - Throws: `DecantError` if the stores cannot be compared.
  package func compared(
    listLimit: Int?,
    _ cancellation: Cancellation,
    _ onEvent: @escaping (WorkEvent) -> Void
  ) throws(DecantError) -> (report: DiffReport, comparison: Comparison, list: FoundDifferences?) {
    // A list takes the schema differences from the report.
    let schemaLimit = max(listLimit ?? 0, differenceLimit)
    onEvent(.began(.read))
    let opener = try mappedOpener(cancellation, onEvent)
    let comparison = try Comparison(
      Comparison.Request(
        source: a,
        destination: b,
        model: model,
        idTableFile: idTableFile,
        links: links,
        noLinks: noLinks,
        noLinkPlaces: noLinkPlaces,
        rules: rules,
        comparesShared: true,
        opener: opener
      ),
      cancellation
    )
    onEvent(.began(.resolve))
    let wanted = try wantedEntities(comparison.schema.stores)
    let schema = try explaining("cannot compare the schemas") { () throws(SQLiteError) in
      try comparison.schema.differences(of: wanted)
    }
    try checkOtherWay(comparison)
    let rules = rules.spelled(like: comparison.source.model)
    try rules.check(comparison.source.model, place: comparison.source.identity.place)
    let search = SearchProgress(onEvent)
    var rest = search
    if let matched = try comparison.pairEqualKeys() {
      let trial = search.part(0...0.5)
      rest = search.part(0.5...1)
      var (report, _) = try self.report(comparison, matched, wanted, nil, cancellation, trial.take)
      if report.isEqual {
        report.add(schema, limit: schemaLimit)
        return (report, comparison, nil)
      }
    }
    let matched = try comparison.pair(by: rules, rest)
    var (report, list) = try report(comparison, matched, wanted, listLimit, cancellation, onEvent)
    report.add(schema, limit: schemaLimit)
    return (report, comparison, list)
  }

  /// Returns the opener of the stores, which applies the mapping to the first one.
  private func mappedOpener(
    _ cancellation: Cancellation,
    _ onEvent: @escaping (WorkEvent) -> Void
  ) throws(DecantError) -> any StoreOpener {
    guard let mapping else { return opener }
    var options = CopyOptions()
    (options.mapping, options.model) = (mapping, model)
    (options.links, options.noLinks, options.noLinkPlaces) = (links, noLinks, noLinkPlaces)
    return try opener.seeing(a, as: b, options: options, cancellation: cancellation, onEvent)
  }

  private func report(
    _ comparison: Comparison,
    _ matchedBy: [String: MatchedBy],
    _ wanted: Set<String>?,
    _ listLimit: Int?,
    _ cancellation: Cancellation,
    _ onEvent: (WorkEvent) -> Void
  ) throws(DecantError) -> (DiffReport, FoundDifferences?) {
    onEvent(.began(.check))
    let (counts, there) = try comparison.offerThere()
    try explaining("cannot compare the keys") { () throws(SQLiteError) in
      try DiffRun.restrict(comparison.ids, to: there, comparison.source.layout, comparison.connection)
      try comparison.connection.register(PartnerFunction(comparison.ids), as: "partner", .directOnly)
    }
    let run = DiffRun(
      diff: self,
      comparison: comparison,
      wanted: wanted,
      matchedBy: matchedBy,
      listLimit: listLimit
    )
    return try run.report(countsInB: counts, cancellation, onEvent)
  }

  /// Returns the names of the compared entities, including their sub-entities; `nil` for all.
  private func wantedEntities(_ stores: Sided<any SourceStore>) throws(DecantError) -> Set<String>? {
    guard !entities.isEmpty else { return nil }
    var wanted: Set<String> = []
    let model = stores.source.model
    for name in entities.map(Spelling(model: model).entity) {
      let models = [model, stores.destination.model].filter { $0[name] != nil }
      guard !models.isEmpty else {
        let names = model.entities.map(\.name)
        throw DecantError(
          .unknownName,
          "there is no \(model.terms.entity) \(name) in “\(stores.source.identity.place)”",
          place: "\(option: .entity)",
          remedy: "\(name.remedy(among: names, of: model.terms.entities))",
          remedies: [.correctName(name, among: names)]
        )
      }
      for model in models { wanted.formUnion(model.family(of: name).map(\.name)) }
    }
    return wanted
  }

  /// Throws if the second store may contain something that the first one cannot hold.
  private func checkOtherWay(_ comparison: Comparison) throws(DecantError) {
    let (source, destination) = (comparison.source, comparison.destination)
    let misfits = ModelMisfits(from: destination.model, to: source.model).all
    guard misfits.isEmpty else {
      throw DecantError(
        .modelsDiffer,
        "the models are incompatible: \(misfits[0])",
        place: "compared from “\(destination.identity.place)”"
          + (misfits.count > 1 ? ", and \(misfits.count - 1) more: \(misfits[1])" : ""),
        remedy: "compare stores of the same model version"
      )
    }
    try PlanBuilder(
      sourceModel: destination.model,
      sourceLayout: destination.layout,
      destinationModel: source.model,
      destinationLayout: source.layout,
      sourceSchema: CopySession.destination
    ).plan(filters: [])
      .checkUnmatchedColumns(on: comparison.connection, place: destination.identity.place)
  }
}
