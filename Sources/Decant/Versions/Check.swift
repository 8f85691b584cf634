internal import SQLite

/// Which migration a store needs to be opened with a version of a model, and why.
///
/// The models are compared, and what the store holds decides where a count can: a required attribute without
/// default value stands in nobody's way where there is no object. The store is read in one transaction and never
/// changed; memory does not grow with it.
public struct Check: Sendable {
  public let store: StoreLocation
  /// The model's place, with `#Version` behind it for another one than the current.
  public let wanted: String
  /// How to read a store that does not hold its own model: a model's place.
  public var model: String?
  private let opener: any VersionedStoreOpener

  /// Describes a check of a store of the kinds that `opener` knows.
  public init(
    _ store: StoreLocation,
    against wanted: String,
    opener: any VersionedStoreOpener
  ) {
    self.store = store
    self.wanted = wanted
    self.opener = opener
  }

  /// Compares and counts; blocks until it is done.
  ///
  /// - Parameter cancellation: Ends the work from another thread.
  /// - Returns: The report; that no migration is possible is an answer as well.
  /// - Throws: `DecantError` where store or model are not there, are damaged, or are none.
  public func run(cancellation: Cancellation = Cancellation()) throws(DecantError) -> CheckReport {
    let found = try opener.openVersioned(store, against: wanted, model: model)
    var report = CheckReport(found)
    guard let source = found.source, found.obstacle == nil else { return report }
    var changes = ModelComparison.changes(from: source.model, to: found.target.model)
    if found.hasSameHashes == true {
      // Core Data opens the store as it is: what it does not count in its hashes asks for nothing.
      for index in changes.indices {
        changes[index].demand = .nothing
        changes[index].question = nil
      }
    } else {
      if found.hasSameHashes == false {
        changes += ModelComparison.unexplainedHashes(
          from: source.model,
          to: found.target.model,
          besides: changes
        )
      }
      changes = try answered(changes, source, cancellation)
    }
    report.changes = changes
    report.migration =
      switch changes.demand {
      case .nothing: .none
      case .inferred, .beyondCoreData: .inferred
      case .mapping: .mapping
      }
    report.steps = CheckReport.Step.all(found)
    return report
  }

  private func answered(
    _ changes: [ModelChange],
    _ source: any SourceStore,
    _ cancellation: Cancellation
  ) throws(DecantError) -> [ModelChange] {
    guard changes.contains(where: { $0.question != nil }) else { return changes }
    let table = try Workbench(source: source)
    table.setProgressCheck(StopCheck(cancellation))
    return try explaining("cannot count what is in “\(source.identity.place)”") {
      () throws(SQLiteError) in
      try table.beginReading()
      let questions = try StoreQuestions(source, table.connection)
      var answered: [ModelChange] = []
      for change in changes { answered.append(try questions.answered(change)) }
      try table.endReading()
      return answered
    }
  }
}

extension ModelComparison {
  /// Returns changes for entities whose version hashes differ although no other change explains it.
  static func unexplainedHashes(
    from source: Model,
    to destination: Model,
    besides changes: [ModelChange]
  ) -> [ModelChange] {
    // An entity's hash is made of its parent's too, so one change explains many.
    guard !changes.contains(where: { $0.demand > .nothing }) else { return [] }
    return destination.entities.compactMap { entity in
      guard let hash = entity.versionHash, let other = source[entity.name]?.versionHash,
        hash != other
      else { return nil }
      return ModelChange(
        .versionHashChanged,
        entity.name,
        "has another version hash, although nothing differs that decant reads",
        .inferred
      )
    }
  }
}
