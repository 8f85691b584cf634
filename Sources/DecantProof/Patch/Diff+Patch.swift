public import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

extension Diff {
  /// Returns the operation that writes the SQL for making the first store equal to the second: one transaction for the
  /// `sqlite3` program.
  ///
  /// The report says whether they differ; nothing is written if they do not. Rows are identified by their primary key,
  /// or otherwise by their number. Both stores are read in one state, row by row. An interrupted patch changes nothing.
  /// Content that cannot be patched is an error of the family `.usage`.
  ///
  /// - Parameter write: Receives the text, piece by piece, on the thread of the run.
  /// - Returns: The operation.
  public func patch(
    to write: @escaping @Sendable (UnsafeRawBufferPointer) throws(DecantError) -> Void
  ) -> DecantOperation<Bool> {
    DecantOperation("patch", .patch) { cancellation, tell throws(DecantError) in
      try withoutActuallyEscaping(tell) { tell throws(DecantError) in
        try writePatch(cancellation, tell, to: write)
      }
    }
  }

  private func writePatch(
    _ cancellation: Cancellation,
    _ tell: @escaping (WorkEvent) -> Void,
    to write: @escaping (UnsafeRawBufferPointer) throws(DecantError) -> Void
  ) throws(DecantError) -> Bool {
    tell(.began(.read))
    let options = CopyOptions()
    let stores = Sided<any SourceStore>(
      try opener.openSource(a, facing: b, options: options),
      try opener.openSource(b, facing: a, options: options)
    )
    try Diff.checkCanPatch(stores)
    let session = try CopySession(source: stores.source, encoding: stores.destination.textEncoding)
    session.setProgressCheck(StopCheck(cancellation))
    try cancellation.check()
    let connection = session.connection
    try stores.destination.attach(to: connection, as: CopySession.destination)
    try explaining("cannot begin reading") { () throws(SQLiteError) in try session.beginReading() }
    tell(.began(.check))
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
        remedy:
          "make the schemas equal with sqlite3 first; \(shell: "“decant diff”", app: "a diff") lists all differences"
      )
    }
    tell(.began(.resolve))
    let output = try explaining("cannot begin the patch") { () throws(SQLiteError) in
      try PatchOutput(connection, write)
    }
    try SQLPatch(
      connection: connection,
      places: Sided(stores.source.identity.place, stores.destination.identity.place),
      isWide: stores.source.textEncoding != "UTF-8",
      output: output,
      cancellation: cancellation,
      progress: SearchProgress(tell),
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
          remedy: "use \(command: "merge", app: "a merge") instead"
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
