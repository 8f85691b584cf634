public import DecantBase
internal import DecantMatch
public import DecantPlan
public import DecantStore
internal import DecantSQLite

/// Finds what differs between two stores, looking both ways; changes neither.
///
/// Objects are paired as a merge pairs them. Of those that both have, values and links are compared; the
/// others are only in one of the two. Links of many to many count between objects that both have: those of
/// an object that only one has go with it.
public struct Diff: Runnable {
  public let a: StoreLocation
  public let b: StoreLocation
  /// The ID table that a copy from A to B kept; without one it is found out which object is which.
  public var idTableFile: String?
  /// How to read a store that does not hold its own model: a model's place.
  public var model: String?
  /// How objects of the first store become those of the second's model; `nil` where the models agree.
  public var mapping: Mapping?
  /// Links that plain databases do not declare.
  package var links: [CopyOptions.Link] = []
  /// Columns that look like links and are none, of which only the names are checked.
  public var noLinks: [Property] = []
  /// Where a links file has these.
  private var noLinkPlaces: [Property: String] = [:]
  /// What tells objects apart, and whether both stores go back to one; policies do not count.
  public var rules = MergeRules(.skip)
  /// The entities to compare, with those below them; all where none is named.
  public var entities: [String] = []
  /// How many differences are named of each root entity and relationship, at most; below 0 counts as 0.
  public var differenceLimit = DifferenceLimit.standard
  /// Whether values of named differences are told.
  public var showsValues = false
  let opener: any StoreOpener

  package init(_ a: StoreLocation, _ b: StoreLocation, opener: any StoreOpener) {
    self.a = a
    self.b = b
    self.opener = opener
  }

  /// Takes over what the options of a copy say of links.
  ///
  /// - Parameter options: The options; what else they say does not count.
  package mutating func take(linksOf options: CopyOptions) {
    (links, noLinks, noLinkPlaces) = (options.links, options.noLinks, options.noLinkPlaces)
  }

  /// The comparison; no store is ever changed by it.
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
  ///   - listLimit: How many objects and links of each entity and relationship are listed; `nil` for no list.
  ///   - cancellation: Stops it.
  ///   - onEvent: Called for each event.
  /// - Returns: The report; the stores, still held in the state that it is of; and the list, `nil` where nothing differs
  ///   but schemas.
  /// - Throws: `DecantError` where they cannot be compared.
  package func compared(
    listLimit: Int?,
    _ cancellation: Cancellation,
    _ onEvent: @escaping (WorkEvent) -> Void
  ) throws(DecantError) -> (report: DiffReport, comparison: Comparison, list: FoundDifferences?) {
    // A list beside the report has those of the schemas from it.
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

  /// What opens the stores, the first of them as the mapping shows it.
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

  /// The names of the entities that are compared, with all below them; `nil` for all.
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

  /// Throws if the second store may hold what the first has no place for.
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
