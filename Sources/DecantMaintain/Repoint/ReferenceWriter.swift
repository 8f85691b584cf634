internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// Writes the new values of references batch by batch, in the caller's transaction.
struct ReferenceWriter {
  let connection: Connection
  let work: ReferenceWork
  let batchSize: Int64

  /// Writes the references of `site`; `progress` receives the number of rows after each batch.
  func write(_ site: ReferenceSite, _ progress: (Int64) throws(DecantError) -> Void) throws(DecantError) {
    var sets = "\(site.column.name.sqlName) = w.value"
    if let entity = site.entityColumn?.name {
      sets += ", \(entity.sqlName) = coalesce(w.entity, \(entity.sqlName(in: "o")))"
    }
    let sql = """
      UPDATE \(site.table) AS o SET \(sets) FROM \(ReferenceWork.table) AS w
      WHERE w.site = \(site.number) AND w.row BETWEEN ?1 AND ?2
        AND o.\(site.relation.keyName) = w.row
      """
    try avoidingCollisions(of: [site.column], site, "\(option: .at) '\(site.place)'") {
      () throws(DecantError) in
      try update(site, sql, progress)
    }
  }

  /// Computes and writes the values set with the references of `sites`, which all belong to one entity.
  func write(
    _ rules: [CheckedSetRule],
    of sites: [ReferenceSite],
    _ progress: (Int64) throws(DecantError) -> Void
  ) throws(DecantError) {
    guard let site = sites.first, let first = rules.first else { return }
    let key = EntityView.key
    let values = rules.indices.map { "(\(rules[$0].expression.text)\n) AS _v\($0)" }
    let sets = rules.indices.map { "\(rules[$0].column.name.sqlName) = x._v\($0)" }
    // A column that an expression reads must keep its own value.
    let read = Set(rules.flatMap(\.expression.reads).map { $0.name.lowercased() })
    let replaceable = rules.filter { !read.contains($0.rule.attribute.lowercased()) }.map(\.column)
    for other in sites {
      // An object with several references is set once, for the last one that was changed.
      let later = sites.filter { $0.number > other.number }.map { String($0.number) }
      let isLast =
        later.isEmpty
        ? ""
        : "AND NOT EXISTS (SELECT 1 FROM \(ReferenceWork.table) AS l WHERE l.row = w.row "
          + "AND l.site IN (\(later.joined(separator: ", "))))"
      let sql = """
        UPDATE \(site.table) AS o SET \(sets.joined(separator: ", "))
        FROM (SELECT \(key.quotedName) AS _k, \(values.joined(separator: ", "))
          FROM temp.\(first.view.quotedName) WHERE \(key.quotedName) IN
            (SELECT w.row FROM \(ReferenceWork.table) AS w
             WHERE w.site = \(other.number) AND w.row BETWEEN ?1 AND ?2 \(isLast))) AS x
        WHERE o.\(site.relation.keyName) = x._k
        """
      try avoidingCollisions(of: replaceable, other, first.option) {
        () throws(DecantError) in
        try update(other, sql, isWhole: later.isEmpty, progress)
      }
    }
  }

  /// Increments the revision of each changed object once, as an app does when it saves.
  func count(of sites: [ReferenceSite]) throws(DecantError) {
    guard let site = sites.first, let revision = site.relation.column(.revision)?.name.sqlName
    else {
      return
    }
    try explaining("cannot write \(site.entity)") { () throws(SQLiteError) in
      try connection.run(
        """
        UPDATE \(site.table) SET \(revision) = coalesce(\(revision), 0) + 1
        WHERE \(site.relation.keyName) IN (\(work.keys(of: sites)))
        """
      )
    }
  }

  private func update(
    _ site: ReferenceSite,
    _ sql: String,
    isWhole: Bool = true,
    _ progress: (Int64) throws(DecantError) -> Void
  ) throws(DecantError) {
    var failure: DecantError?
    do throws(SQLiteError) {
      let statement = try connection.prepare(sql)
      try work.forEachBatch(of: site, limit: batchSize) { range, count throws(SQLiteError) in
        try statement.run(.integer(range.lowerBound), .integer(range.upperBound))
        guard !isWhole || connection.changeCount == count else {
          throw SQLiteError(
            code: SQLiteError.internalCode,
            message: "\(connection.changeCount) of \(count) objects were written"
          )
        }
        do throws(DecantError) {
          try progress(count)
        } catch {
          failure = error
          throw SQLiteError(code: SQLiteError.internalCode, message: error.message)
        }
      }
    } catch {
      if let failure { throw failure }
      throw DecantError("cannot write \(site.place.property)", cause: error)
    }
  }
}

extension ReferenceWriter {
  /// Runs `body`; if a value collides with one that another row of the same change still has, runs it again after
  /// giving the rows temporary values.
  private func avoidingCollisions(
    of columns: [RelationColumn],
    _ site: ReferenceSite,
    _ option: DecantError.Text,
    _ body: () throws(DecantError) -> Void
  ) throws(DecantError) {
    func marking(_ sql: String) throws(DecantError) {
      try explaining("cannot write \(site.place.property)") { () throws(SQLiteError) in
        try connection.run(sql)
      }
    }
    try marking("SAVEPOINT decant_site")
    do throws(DecantError) {
      try body()
      try marking("RELEASE decant_site")
      return
    } catch {
      guard isCollision(error), !connection.isAutocommit else { throw refused(error, site, option) }
      try marking("ROLLBACK TO decant_site")
      try marking("RELEASE decant_site")
    }
    do throws(DecantError) {
      try standIn(for: columns, site)
      try body()
    } catch {
      throw refused(error, site, option)
    }
  }

  /// Gives each row to change a temporary unique value in every column that must be unique.
  private func standIn(for columns: [RelationColumn], _ site: ReferenceSite) throws(DecantError) {
    try explaining("cannot write \(site.place.property)") { () throws(SQLiteError) in
      var unique: Set<String> = []
      try connection.forEachRow(
        """
        SELECT i.name FROM pragma_index_list(?1, 'main') AS l, pragma_index_info(l.name, 'main') AS i
        WHERE l."unique" = 1
        """,
        .text(site.relation.table)
      ) { row in
        unique.insert((row.text(at: 0) ?? "").lowercased())
      }
      let sets = columns.filter { unique.contains($0.name.lowercased()) }.map {
        "\($0.name.sqlName) = 'decant ' || \(site.relation.keyName)"
      }
      guard !sets.isEmpty else { return }
      try connection.run(
        """
        UPDATE \(site.table) SET \(sets.joined(separator: ", "))
        WHERE \(site.relation.keyName) IN (\(work.keys(of: [site])))
        """
      )
    }
  }

  private func isCollision(_ error: DecantError) -> Bool {
    (error.cause as? SQLiteError)?.constraint == .unique
  }

  /// Returns a constraint error that names the attributes concerned.
  private func refused(_ error: DecantError, _ site: ReferenceSite, _ option: DecantError.Text) -> DecantError {
    guard let cause = error.cause as? SQLiteError, cause.isConstraint else { return error }
    let marker = "UNIQUE constraint failed: "
    if cause.message.hasPrefix(marker) {
      let names = cause.message.dropFirst(marker.count).split(separator: ",").map { part in
        part.split(separator: ".").last.map(String.init) ?? String(part)
      }
      return ReferenceWriter.collision(of: names, site, option, cause)
    }
    return ReferenceWriter.refusal("cannot change \(site.entity): \(cause.message)", option, cause)
  }

  /// Returns the error for two objects that would have the same values in `columns`, which must be unique.
  static func collision(
    of columns: [String],
    _ site: ReferenceSite,
    _ option: DecantError.Text,
    _ cause: SQLiteError?
  ) -> DecantError {
    let names = columns.map { name in
      site.relation.columns.first { $0.name == name }?.columnRole.property?.name ?? name
    }
    return refusal(
      "cannot change \(site.entity): two objects would have the same \(names.joined(separator: " and "))",
      option,
      cause
    )
  }

  private static func refusal(_ message: DecantError.Text, _ option: DecantError.Text, _ cause: SQLiteError?)
    -> DecantError
  {
    DecantError(
      .constraintViolated,
      message,
      place: option,
      remedy: "find them with \(command: "query", app: "a query") and fix them in the app; nothing was changed",
      cause: cause
    )
  }
}
