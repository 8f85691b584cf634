public import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

extension Diff {
  /// Writes the SQL that makes the first store equal to the second: a transaction for the `sqlite3` program.
  ///
  /// Rows are told apart by their primary key, else by their number. Both are read in one state, row by row.
  ///
  /// - Parameters:
  ///   - cancellation: Ends the work; a patch that was cut off changes nothing.
  ///   - write: Takes the text over, piece by piece.
  /// - Returns: Whether they differ; nothing is written where they do not.
  /// - Throws: `DecantError` of the family `.usage` for what no patch can be made of.
  public func writePatch(
    cancellation: Cancellation = Cancellation(),
    to write: @escaping (UnsafeRawBufferPointer) throws(DecantError) -> Void
  ) throws(DecantError) -> Bool {
    let options = CopyOptions()
    let stores = Sided<any SourceStore>(
      try opener.openSource(a, facing: b, options: options),
      try opener.openSource(b, facing: a, options: options)
    )
    try Diff.checkCanPatch(stores)
    let session = try CopySession(source: stores.source, encoding: stores.destination.textEncoding)
    session.setProgressCheck(StopCheck(cancellation))
    let connection = session.connection
    try stores.destination.attach(to: connection, as: CopySession.destination)
    try explaining("cannot begin reading") { () throws(SQLiteError) in try session.beginReading() }
    for side in [MatchSide.source, .destination] {
      try StructureCheck(of: side.schema, on: connection)
        .run(.quick, place: stores[side].identity.place)
    }
    let schema = try explaining("cannot compare the schemas") { () throws(SQLiteError) in
      try SchemaComparison(stores, on: connection).differences(of: nil)
    }
    if let first = schema.first {
      throw DecantError(
        .unsupportedRequest,
        "a patch covers only rows, but the schemas differ: \(first.text("A", "B"))",
        place: schema.count > 1 ? "and \(Int64(schema.count - 1).counted("difference")) more" : nil,
        remedy: "make the schemas equal with sqlite3 first; “decant diff” lists all differences"
      )
    }
    let output = try explaining("cannot begin the patch") { () throws(SQLiteError) in
      try PatchOutput(connection, write)
    }
    try SQLPatch(
      connection: connection,
      places: Sided(stores.source.identity.place, stores.destination.identity.place),
      isWide: stores.source.textEncoding != "UTF-8",
      output: output,
      cancellation: cancellation,
      textIndexes: stores.source.layout.textIndexes
    ).write()
    return !output.isEmpty
  }

  private static func checkCanPatch(_ stores: Sided<any SourceStore>) throws(DecantError) {
    for side in [MatchSide.source, .destination] {
      let store = stores[side]
      let (place, path) = (store.identity.place, store.path ?? "")
      guard store.identity.terms == .rows, store.likeness == nil,
        side == .destination || Files.isSamePlace(path, place)
      else {
        throw DecantError(
          .unsupportedKind,
          "“\(place)” is not a plain SQLite database: \(option: .sql) only supports these",
          remedy: "use decant merge instead"
        )
      }
      if let collation = store.unknownCollations.first {
        throw DecantError(
          .unsupportedRequest,
          "“\(place)” is sorted by \(collation), so sqlite3 cannot apply a patch to it",
          remedy: "copy the database itself"
        )
      }
    }
    let encodings = Sided(stores.source.textEncoding, stores.destination.textEncoding)
    guard encodings.source == encodings.destination else {
      throw DecantError(
        .unsupportedRequest,
        "the text encodings differ, \(encodings.source) and \(encodings.destination): a patch cannot change them",
        remedy: "convert one to the other's encoding first"
      )
    }
  }
}
