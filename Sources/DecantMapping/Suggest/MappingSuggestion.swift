public import DecantBase
public import DecantPlan
public import DecantStore
internal import DecantSQLite

/// A draft of a mapping file for two stores with different models, based on their models and on counts.
///
/// Entities and properties of the same name are matched. The remaining ones are paired by guesses, each of which is
/// marked; losses are listed. The file can be used as it is: a guess may be wrong, but is never invalid.
public struct MappingSuggestion: Runnable {
  /// The source store.
  public let source: StoreLocation
  /// The store whose model is used: an existing one, or one to be created from a template.
  public let destination: StoreLocation
  private var options: CopyOptions
  private let opener: any StoreOpener
  /// How the source is read.
  public var reading: SourceReading {
    get { options.reading }
    set { options.reading = newValue }
  }
  /// The place of the Core Data store or model from which a new destination is made; `nil` for an existing one.
  public var template: String? {
    get { options.template }
    set { options.template = newValue }
  }

  /// Creates a suggestion for stores of kinds that `opener` supports.
  ///
  /// - Parameters:
  ///   - source: The source store.
  ///   - destination: The store whose model is used.
  ///   - options: The options for reading the source, and the template of a new destination.
  ///   - opener: The opener of both stores.
  package init(
    from source: StoreLocation,
    to destination: StoreLocation,
    options: CopyOptions = CopyOptions(),
    opener: any StoreOpener
  ) {
    self.source = source
    self.destination = destination
    self.options = options
    self.opener = opener
  }

  /// The suggestion, as YAML that `Mapping` reads; every table of the source is read once, and nothing is written.
  ///
  /// The error is of the family `.usage` if no mapping is possible between the stores.
  public var operation: DecantOperation<String> {
    DecantOperation("suggestion", .inspect) { cancellation, tell throws(DecantError) in
      try perform(cancellation, tell)
    }
  }

  /// Performs the suggestion as part of another run.
  package func perform(_ cancellation: Cancellation, _ tell: (WorkEvent) -> Void) throws(DecantError) -> String {
    tell(.began(.read))
    guard FileStatus(destination.place) != nil || options.template != nil else {
      throw DecantError(
        .missingOption,
        "there is no store at “\(destination.place)” to take the destination model from",
        remedy:
          "pass an existing store, or the model of a new one: \(say: .template) MODEL"
      )
    }
    var options = options
    options.mapping = Mapping(place: "the suggestion")
    // The destination is not written.
    options.writesMirroredStore = true
    // Opened in the same way as by a copy with this file.
    let base = try opener.openSource(source, facing: destination, options: options)
    if let gap = base.modelGap { throw gap }
    let other = try opener.openDestination(destination, like: base, options: options)
    let table = try CopySession(source: base)
    table.setProgressCheck(StopCheck(cancellation))
    try cancellation.check()
    tell(.began(.resolve))
    return try withoutActuallyEscaping(tell) { tell throws(DecantError) in
      try SuggestionRun(base, other, table).text(cancellation, tell)
    }
  }
}

/// A suggestion in progress.
private struct SuggestionRun {
  private let base: any SourceStore
  private let other: any DestinationStore
  private let table: CopySession
  private let source: MappingResolver.ModelSide
  private let destination: MappingResolver.ModelSide

  init(_ base: any SourceStore, _ other: any DestinationStore, _ table: CopySession) {
    self.base = base
    self.other = other
    self.table = table
    source = MappingResolver.ModelSide(base.model, base.layout, place: base.identity.place)
    destination = MappingResolver.ModelSide(other.model, other.layout, place: other.identity.place)
  }

  func text(_ cancellation: Cancellation, _ tell: @escaping (WorkEvent) -> Void) throws(DecantError) -> String {
    let search = SearchProgress(tell)
    try explaining("cannot read “\(source.place)”") { () throws(SQLiteError) in
      try table.beginReading()
    }
    let entities = SuggestedEntities(source: source, destination: destination).rules()
    let counts = try explaining("cannot count the contents of “\(source.place)”") {
      () throws(SQLiteError) in try self.counts(entities, search.part(0...0.7))
    }
    var rules = entities
    var links = SuggestedLinks(source: source, destination: destination, rules: entities, counts: counts)
    for index in rules.indices {
      let attributes = SuggestedAttributes(
        source: source,
        destination: destination,
        profiles: counts[rules[index].source]?.profiles ?? [:],
        hasIdentifier: base.identity.uuid != nil
      )
      attributes.fill(&rules[index])
      links.fill(&rules[index])
    }
    // The mapping is resolved with all losses allowed, which shows what is lost.
    let losses = try losses(SuggestedText(rules, self, lost: []).text)
    let drops = SuggestedDrops(source: source, counts: counts)
    let rest = search.part(0.7...1)
    rest.beginSteps(of: Int64(rules.count))
    for index in rules.indices {
      rest.begin(rules[index].entity, 1)
      rules[index].drops = try explaining("cannot count the contents of “\(source.place)”") {
        () throws(SQLiteError) in
        try drops.drops(of: rules[index], losses.lost, on: table.connection)
      }
    }
    try cancellation.check()
    tell(.began(.check))
    let lost = losses.entities.map { name in
      let links = counts[name]?.linkCount ?? 0
      return SuggestedRule.Line(
        name: name,
        comment: (counts[name]?.objectCount ?? 0).counted("object")
          + (links > 0 ? ", \(links.counted("link"))" : "")
      )
    }
    let text = SuggestedText(rules, self, lost: lost).text
    try check(text)
    try explaining("cannot finish reading") { () throws(SQLiteError) in try table.endReading() }
    return text
  }

  /// Returns the destination's entities that get no objects.
  fileprivate func emptyEntities(_ rules: [SuggestedRule]) -> [String] {
    destination.concreteEntities.filter { name in !rules.contains { $0.entity == name } }
  }

  fileprivate var places: (source: String, destination: String) {
    (source.place, destination.place)
  }

  /// Returns the contents of each source entity.
  private func counts(_ rules: [SuggestedRule], _ progress: SearchProgress) throws(SQLiteError)
    -> [String: EntityProfile]
  {
    var counts: [String: EntityProfile] = [:]
    let entities = source.concreteEntities
    progress.beginSteps(of: Int64(entities.count))
    for entity in entities {
      progress.begin(entity, 1)
      let rule = rules.first { $0.source == entity }
      let (objectCount, profiles) = try ValueProfile.profiles(
        of: entity,
        source,
        in: CopySession.source,
        on: table.connection
      ) { column in
        // If name and type agree, nothing has to be guessed.
        guard let rule, case .attribute(let property) = column.columnRole else { return false }
        let same = destination.column(property.name, of: rule.entity) { .attribute($0) }
        return same?.type != column.type
      }
      counts[entity] = EntityProfile(objectCount: objectCount, profiles: profiles)
    }
    return counts
  }

  /// Returns the losses of a mapping that does not mention losses.
  private func losses(_ text: String) throws(DecantError) -> MappingLosses {
    var mapping = try Mapping(text: text, place: "the suggestion")
    mapping.contract.entities = .discard
    mapping.contract.attributes = .discard
    let resolver = MappingResolver(mapping: mapping, source: source, destination: destination)
    let (roots, links) = try resolver.resolve()
    return MappingLosses(resolver: resolver, roots: roots, links: links)
  }

  /// Throws if the file is not valid, since no mapping is possible between some models.
  private func check(_ text: String) throws(DecantError) {
    _ = try MappedStore(
      base,
      by: Mapping(text: text, place: "the suggestion"),
      for: other,
      seed: [UInt8](repeating: 0, count: 16)
    )
  }
}

/// The contents of a source entity.
struct EntityProfile {
  let objectCount: Int64
  let profiles: [ColumnRole: ValueProfile]

  /// The number of its objects' links.
  var linkCount: Int64 {
    profiles.reduce(0) { sum, profile in
      if case .target = profile.key { sum + profile.value.count } else { sum }
    }
  }
}

extension SuggestedText {
  fileprivate init(_ rules: [SuggestedRule], _ run: SuggestionRun, lost: [SuggestedRule.Line]) {
    self.init(
      source: run.places.source,
      destination: run.places.destination,
      rules: rules,
      lostEntities: lost,
      emptyEntities: run.emptyEntities(rules)
    )
  }
}
