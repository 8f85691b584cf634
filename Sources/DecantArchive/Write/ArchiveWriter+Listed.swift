package import DecantBase
internal import DecantPlan
internal import DecantStore
package import DecantJSON
internal import DecantSQLite

/// Writing the objects of a list, each with the reason for its rejection.
extension ArchiveWriter {
  /// Writes the header, the `listed` objects and the receipt.
  ///
  /// The line of an object names the parts that cannot be read; an object of which nothing can be read has a line with
  /// its name only.
  ///
  /// - Parameters:
  ///   - header: The header.
  ///   - template: The file of the empty store, if it should be included.
  ///   - listed: The objects.
  ///   - others: Lines for input that is not an object of the store.
  /// - Throws: `DecantError` if the lines cannot be written.
  package func write(
    _ header: ArchiveHeader,
    template: String?,
    _ listed: ListedObjects,
    _ others: [JSONValue]
  ) throws(DecantError) {
    try writeHeader(header, template)
    let progress = try explaining("cannot create a temporary table") { () throws(SQLiteError) in
      try ListedProgress(on: connection)
    }
    var objects = ObjectWriter(source, on: connection, to: output, blobs, references)
    for relation in source.layout.relations {
      for entity in relation.entities where header.counts.contains(where: { $0.0 == entity.name }) {
        let entity = ArchivedEntity(entity, in: relation, of: source)
        do throws(DecantError) {
          try forEachRow(of: entity, in: listed.schema, listed: listed) {
            rows,
            key,
            lists throws(DecantError) in
            try write(entity, rows, key, lists, relation.root, progress, &objects)
          }
        } catch {
          guard !output.hasFailed, !blobs.isBroken else { throw error }
          // If a value of one object cannot be read, its other values can; the rest is named below.
          guard (error.cause as? SQLiteError)?.refusesRow == true else { continue }
          try writeOneByOne(entity, listed, progress, &objects)
        }
      }
    }
    output.end()
    unreportedCount = objects.unreportedCount
    var failure: DecantError?
    try explaining("cannot read the rejects") { () throws(SQLiteError) in
      try progress.forEachUnreported { root, key, code, reason in
        guard failure == nil else { return }
        var id = JSONValue.null
        if case .integer(let integer) = key { id = .integer(integer) }
        if case .text(let text) = key { id = .string(text) }
        do throws(DecantError) {
          try append(
            .object([
              ("entity", .string(root)), ("id", id), ("code", .string(code)),
              ("reason", .string(reason)),
            ])
          )
        } catch { failure = error }
      }
    }
    if let failure { throw failure }
    for line in others { try append(line) }
    try append(.object([("end", .bool(true)), ("parts", .integer(1))]))
    try output.flush()
  }

  /// Writes the remaining objects of the list one by one, without the parts that cannot be read.
  ///
  /// Objects that cannot be written in this way either are named at the end.
  private func writeOneByOne(
    _ entity: ArchivedEntity,
    _ listed: ListedObjects,
    _ progress: ListedProgress,
    _ objects: inout ObjectWriter
  ) throws(DecantError) {
    let root = entity.relation.root
    var last: Int64?
    let lists = try explaining("cannot read \(entity.name)") { () throws(SQLiteError) in
      try self.lists(of: entity, in: listed.schema, listed: listed)
    }
    output.begin(entity.name)
    while true {
      let page = try explaining("cannot read the rejects") { () throws(SQLiteError) in
        try progress.unreported(of: root, after: last)
      }
      guard let end = page.last else { return }
      last = end.key
      for var object in page {
        let rows = try explaining("cannot read \(entity.name) p\(object.key)") {
          () throws(SQLiteError) -> EntityRows? in
          object.unreadable = try listed.unreadable(of: object.key, entity, on: connection)
          let rows = try EntityRows(entity, in: listed.schema, on: connection, listed: listed, one: object)
          do throws(SQLiteError) {
            return try rows.rows.step() ? rows : nil
          } catch {
            guard error.refusesRow else { throw error }
            return nil
          }
        }
        guard let rows else { continue }
        try write(entity, rows, object.key, lists, root, progress, &objects)
      }
    }
  }

  /// Writes the object of the current row, unless that fails.
  private func write(
    _ entity: ArchivedEntity,
    _ rows: EntityRows,
    _ key: Int64,
    _ lists: [LinkRows],
    _ root: String,
    _ progress: ListedProgress,
    _ objects: inout ObjectWriter
  ) throws(DecantError) {
    let before = output.objectCount
    do throws(DecantError) {
      try objects.write(entity, rows, key, lists)
    } catch {
      // A line that was begun cannot be undone.
      guard !output.hasFailed, !blobs.isBroken, output.objectCount == before else { throw error }
      objects.hasOpenLinks = false
      return
    }
    try explaining("cannot record the written objects") { () throws(SQLiteError) in
      guard let place = rows.listPlace else { return }
      try progress.note(root, rows.rows.value(at: place))
    }
  }
}
