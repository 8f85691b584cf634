package import SQLite

/// The SQLite connection in which source and destination meet.
///
/// The source is attached as `source`; `main` is the destination, or nothing while the copy is only
/// planned. What is copied stays inside SQLite: one statement reads the one and writes the other.
package final class Workbench {
  /// The name under which the source is attached.
  package static let source = "source"

  package let connection: Connection
  /// Where source and destination keep values in files of their own.
  let files: FileSides

  /// Opens `file`, a URI, as `main` and attaches `source`; without a file `main` is in memory.
  ///
  /// What is new takes `encoding` for its texts, or the source's where none is named; a database that is
  /// there keeps its own. A source of another encoding is read through a feed.
  package init(
    _ file: String? = nil,
    mode: Connection.Mode = .create,
    source: any SourceStore,
    encoding: String? = nil
  ) throws(DecantError) {
    let files = FileSides(source: source.externalStorage)
    self.files = files
    connection = try explaining("cannot open “\(file ?? "memory")”") { () throws(SQLiteError) in
      let connection = try Connection(file ?? ":memory:", mode: mode)
      connection.setBusyTimeout(milliseconds: 2_000)
      try connection.run("PRAGMA encoding = \((encoding ?? source.textEncoding).sqlText)")
      try connection.takeCacheForWriting()
      try connection.setTriggersEnabled(false)
      try ValueFunctions.register(on: connection)
      try files.register(on: connection)
      return connection
    }
    try source.meet(on: connection, as: Workbench.source)
    guard let reader else { return }
    // What tells lengths is asked there.
    try explaining("cannot register functions") { () throws(SQLiteError) in
      try ValueFunctions.register(on: reader)
      try files.register(on: reader)
    }
  }

  /// Begins a transaction in which everything that is attached is read in one state.
  func beginReading() throws(SQLiteError) {
    try connection.run("BEGIN")
    try holdSource()
  }

  /// Ends what `beginReading` began.
  func endReading() throws(SQLiteError) {
    try connection.run("COMMIT")
    if let reader { try reader.run("COMMIT") }
  }

  /// Has the source read in one state beside a transaction that is open already.
  package func holdSource() throws(SQLiteError) {
    try reader?.run("BEGIN")
  }

  /// Has `check` asked while statements run, on whatever connection.
  func setProgressCheck(_ check: ProgressCheck) {
    connection.setProgressCheck(check)
    reader?.setProgressCheck(check)
  }

  /// The connection from which the source is fed; `nil` where it is attached itself.
  private var reader: Connection? {
    let reader = connection.reader(of: Workbench.source)
    return reader === connection ? nil : reader
  }

  /// Offers the ID table to SQL on `connection`.
  static func offer(_ ids: IDTable, on connection: Connection) throws(SQLiteError) {
    for (name, function) in [
      ("id", IDFunction(ids)), ("link", IDFunction(ids, keepsStrangers: true)),
    ] {
      try connection.register(function, as: name, argumentCount: 2, [.deterministic, .directOnly])
      // It counts what it is asked for: SQLite must not skip a call, nor use a result twice.
      try connection.register(function, as: name, argumentCount: 3, .directOnly)
    }
    try connection.register(KnownFunction(ids), as: "known", [.directOnly])
    try connection.register(OriginFunction(ids), as: "origin", .directOnly)
    try connection.register(UnknownEntity(), as: "no_entity", [.directOnly])
    try connection.register(DoubleNumberFunction(ids), as: "double_number", [.directOnly])
    try connection.register(
      DoubleNumberFunction(ids, isOfTitle: true),
      as: "double_title",
      [.directOnly]
    )
    try connection.register(AnotherFunction(), as: "another", [.directOnly, .deterministic])
    try connection.register(RowOutcomeFunction(ids), as: "row_outcome", [.directOnly])
    try connection.register(MixFunction(), as: "mix", [.directOnly, .deterministic])
    try connection.register(
      MixFunction(wantsAll: true),
      as: "mix_all",
      [.directOnly, .deterministic]
    )
    try connection.register(MergedFunction(ids), as: "was_merged", [.directOnly])
    try connection.register(ListShiftFunction(ids), as: "list_shift", [.directOnly])
    try connection.register(NewFunction(ids), as: "is_new", [.directOnly])
    try connection.register(SurvivorFunction(ids), as: "is_there", [.directOnly])
    try connection.register(ClosedFunction(ids), as: "is_closed", [.directOnly])
    try connection.register(ClosureFunction(ids), as: "in_closure", [.directOnly])
    try connection.register(StubFunction(ids), as: "is_stub", [.directOnly])
    try connection.register(OutcomeFunction(ids), as: "merge_outcome", [.directOnly])
    try connection.register(RemovedLinkFunction(ids), as: "removed_link", [.directOnly])
    try connection.register(DecidedFunction(ids), as: "decided", [.directOnly])
    try connection.register(AwayFunction(ids), as: "is_away", [.directOnly])
    try connection.register(KeepsFunction(ids, .source), as: "keeps", [.directOnly])
    try connection.register(KeepsFunction(ids, .destination), as: "keeps_there", [.directOnly])
  }

  /// Offers the ID table to SQL, and the files of the destination.
  func offer(_ ids: IDTable, files: (any ExternalStorage)? = nil) throws(DecantError) {
    self.files.destination = files
    try explaining("cannot register functions") { () throws(SQLiteError) in
      try Workbench.offer(ids, on: connection)
    }
  }
}

/// The SQL function that an object of an entity the model does not know runs into.
final class UnknownEntity: ScalarFunction {
  override func call(
    _ arguments: borrowing FunctionArguments,
    _ result: borrowing FunctionResult
  ) {
    let (root, key) = (arguments.text(at: 0), arguments.integer(at: 1))
    let code = arguments.type(at: 2) == .null ? "none" : arguments.text(at: 2)
    result.fail(
      "\(UnknownEntity.marker)\(root) p\(key) is of entity number \(code), which has no place there"
    )
  }

  static let marker = "unknown entity: "
}
