internal import DecantBase
internal import DecantMapping
internal import DecantMerge
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The file of rejected objects that a user named, while a copy runs.
final class RejectsFile {
  let path: String
  private var written: (any PendingFile)?

  init(_ path: String) { self.path = path }

  /// Throws if another kind of file is there.
  func check() throws(DecantError) {
    try OutputFile.checkMayWrite(path, option: .rejects, RejectsFile.isOwn)
  }

  /// Whether a file that begins with `start` is one of rejects, and no other archive.
  private static func isOwn(_ start: [UInt8]) -> Bool {
    [#"{"decant":1,"rej"#, #"{"entity"#].contains { start.starts(with: $0.utf8) }
  }

  /// Has the objects written beside the place; returns what to know of the file.
  func write(
    _ rejects: Rejects,
    of source: any SourceStore,
    _ location: StoreLocation,
    to destination: any DestinationStore,
    _ options: CopyOptions,
    _ fingerprint: Fingerprint,
    by opener: any StoreOpener
  ) throws(DecantError) -> [ReportNote] {
    let file = rejects.connection.reader(of: CopySession.source)
    // The views of a mapping are where its objects are copied.
    let reader = source.mapped == nil ? file : rejects.connection
    try explaining("cannot read the rejects") { () throws(SQLiteError) in
      try rejects.list(on: reader)
    }
    var form: RejectedObjects.Form?
    if source.mapped != nil {
      // The tables of a new store are the source's, and what an existing one has is known to the copy.
      form = RejectedObjects.Form(
        layout: destination.layout,
        connection: destination.isNew ? file : rejects.connection,
        schema: destination.isNew ? CopySession.source : "main"
      )
      try explaining("cannot register SQL functions") { () throws(SQLiteError) in
        try ConvertedValue.register(on: reader, isLenient: true)
      }
    }
    let pending = try opener.write(
      RejectedObjects(
        location: known(location, source),
        options: options,
        path: path,
        connection: reader,
        schema: CopySession.source,
        fingerprint: fingerprint.description,
        form: form
      ),
      of: source
    )
    if form != nil {
      // The proof reads the source once more.
      try explaining("cannot register SQL functions") { () throws(SQLiteError) in
        try ConvertedValue.register(on: reader, isLenient: false)
      }
    }
    written = pending
    return pending.notes
  }

  /// The source's place with the kind that is known, where it is the database itself that is open.
  ///
  /// Whoever looks what it is opens and closes the file, and with that gives up every lock that this process has on it.
  private func known(_ location: StoreLocation, _ source: any SourceStore) -> StoreLocation {
    guard location.kind == nil, let path = source.path, Files.isSamePlace(path, location.place)
    else { return location }
    return StoreLocation(kind: source.identity.kind, place: location.place)
  }

  /// Gives the file its name; where nothing was rejected, takes one of an earlier run away.
  func publish() throws(DecantError) {
    try check()
    do throws(SystemError) { try Files.remove(path) } catch { throw DecantError(error) }
    try written?.publish()
    written = nil
  }

  /// Gives the file its name that an earlier run had written, whose copy is done; returns whether there is one.
  func complete() throws(DecantError) -> Bool {
    let partial = "\(path).decant-partial"
    guard (FileStatus(unfollowed: partial)?.byteCount ?? 0) > 0 else { return false }
    try check()
    try explaining { () throws(SystemError) in
      try Files.remove(path)
      try Files.publish(partial, at: path)
      try Files.syncFolder(Files.folder(of: path))
    }
    return true
  }

  /// Removes what was written, or says where it is if the copy is there all the same.
  func abandon(keeping holdsCopy: Bool, telling error: inout DecantError) {
    guard let written else { return }
    if holdsCopy {
      error.tell("the rejected objects: \(path).decant-partial")
    } else {
      written.abandon()
    }
    self.written = nil
  }
}
