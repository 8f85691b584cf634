internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// Writing and proving the changes, in the caller's transaction.
extension RepointRun {
  func write(_ search: Search, on connection: Connection, _ progress: (WorkEvent) -> Void) throws(DecantError) {
    progress(.began(.copy))
    try store.begin(on: connection)
    var steps = RepointSteps(phase: .copy, expected: search.report.changedCount)
    let writer = ReferenceWriter(connection: connection, work: search.work, batchSize: repoint.batchSize)
    for site in sites {
      try writer.write(site) { count throws(DecantError) in
        try stopIfAsked()
        progress(steps.adding(count, site))
      }
    }
    if !sets.isEmpty { try views.offer(in: "main", on: connection) }
    for (entity, rules) in sets.sorted(by: { $0.key < $1.key }) {
      let own = sites.filter { $0.entity == entity }
      try writer.write(rules, of: own) { _ throws(DecantError) in try stopIfAsked() }
      for rule in rules { try rule.checkValues(of: own, search.work, on: connection) }
    }
    for table in tables { try writer.count(of: table) }
    for site in search.keySites { try search.mark.write(for: site) }
    var written = WrittenObjects()
    for table in tables where try isChanged(table, search) {
      written.updatedKeys[table[0].relation.root] = search.work.keys(of: table)
    }
    try store.finish(written, on: connection)
  }

  func isChanged(_ sites: [ReferenceSite], _ search: Search) throws(DecantError) -> Bool {
    try explaining("cannot count the changes") { () throws(SQLiteError) in
      try search.work.count(of: sites) > 0
    }
  }

  func prove(_ search: Search, on connection: Connection, _ progress: (WorkEvent) -> Void) throws(DecantError) {
    progress(.began(.check))
    var steps = RepointSteps(phase: .check, expected: search.report.changedCount)
    let proof = RepointProof(connection: connection, resolver: search.resolver, place: store.identity.place)
    for (site, place) in zip(sites, search.report.places) {
      try proof.check(site, count: place.changedCount) { count throws(DecantError) in
        try stopIfAsked()
        progress(steps.adding(count, site))
      }
    }
  }
}
