internal import DecantBase
internal import DecantMatch
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The reasons to refuse a copy before anything is written.
extension Planner {
  /// Throws if keys would change that computed columns refer to or are computed from.
  func checkComputedLinks(_ ids: IDTable) throws(DecantError) {
    for link in source.layout.computedLinks {
      let roots = [link.targetRoot, link.root]
      let changes = try explaining("cannot read the keys of \(link.root)") {
        () throws(SQLiteError) in
        for root in roots where try ids.keyMap(of: root)?.changesKeys() == true { return true }
        return false
      }
      guard changes else { continue }
      throw DecantError(
        .unsupportedModel,
        "\(link.relationship) of “\(source.identity.place)” refers to \(link.targetRoot) through a computed "
          + "column, which cannot follow keys that change",
        remedy: "copy into a new store, where keys do not change"
      )
    }
  }

  /// Throws if the copy needs lookups in indexes whose collation only the app has.
  func checkCollations() throws(DecantError) {
    guard let collation = source.unknownCollations.first,
      !(destination.canAdoptPages && options.takesEverything)
    else { return }
    throw DecantError(
      .unknownCollation,
      "“\(source.identity.place)” is sorted by \(collation)",
      place: destination.isNew && options.takesEverything
        ? nil : "such a store can only be copied as a whole; rows cannot be selected or added",
      remedy: destination.isNew && !destination.canAdoptPages
        ? "close the app and copy the file itself, together with its -wal if there is one"
        : "copy everything into a new store, without \(option: .where), \(option: .root), \(option: .resume), \(option: .onError) and \(option: .append)"
    )
  }

  /// Throws if keys change or objects are left out while it is not known which columns hold keys.
  func checkModel() throws(DecantError) {
    guard let gap = source.modelGap else { return }
    let reason: DecantError.Text
    if !destination.isNew {
      reason = "objects added to a store get new keys"
    } else if !options.filters.isEmpty {
      reason = "\(option: .where) drops the links to the objects it leaves out"
    } else if !options.roots.isEmpty {
      reason = "\(option: .root) follows links"
    } else if options.onError == .reject {
      reason = "\(option: .onError, "reject") drops the links to the objects it leaves out"
    } else {
      return
    }
    throw DecantError(
      gap.code,
      gap.what,
      place: "\(reason), and without the model decant does not know which columns are links",
      remedy: gap.advice ?? "pass the model: \(say: .model)",
      cause: gap
    )
  }

  /// Throws if the destination already contains objects, unless this was requested.
  func checkAppending(on connection: Connection, _ schema: String) throws(DecantError) {
    guard !destination.isNew, !options.appends, options.merge == nil else { return }
    let counts = try explaining("cannot count what “\(destination.identity.place)” holds") {
      () throws(SQLiteError) in try destination.layout.objectCounts(in: schema, on: connection)
    }
    guard let most = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) else { return }
    let terms = destination.model.terms
    let others = Int64(counts.count - 1)
    throw DecantError(
      .decisionNeeded,
      "“\(destination.identity.place)” already holds \(most.value) \(most.key)"
        + (others == 0
          ? ""
          : ", and \(terms.objects) of \(others) other \(others == 1 ? terms.entity : terms.entities)"),
      remedy:
        "use \(say: .merge, "skip") to add only the objects it does not have, \(say: .append) to add all objects as new ones, "
        + "or use a new store as the destination",
      remedies: [.setOption(.merge, "skip"), .setOption(.append, nil), .chooseAnotherPlace]
    )
  }
}
