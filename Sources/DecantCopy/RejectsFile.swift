internal import DecantBase
internal import DecantMapping
internal import DecantMerge
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The file for rejected objects, while a copy runs.
final class RejectsFile {
  let path: String
  private var written: (any PendingFile)?

  init(_ path: String) { self.path = path }

  /// Throws if the path has another kind of file.
  func check() throws(DecantError) {
    try OutputFile.checkMayWrite(path, option: .rejects, RejectsFile.isOwn)
  }

  /// Returns whether a file that starts with `start` contains rejects, rather than another archive.
  private static func isOwn(_ start: [UInt8]) -> Bool {
    [#"{"decant":1,"rej"#, #"{"entity"#].contains { start.starts(with: $0.utf8) }
  }

  /// Writes the objects to a file next to the place; returns notes on the file.
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
    // The objects of a mapping are available as views on the connection of the copy.
    let reader = source.mapped == nil ? file : rejects.connection
    try explaining("cannot read the rejects") { () throws(SQLiteError) in
      try rejects.list(on: reader)
    }
    var form: RejectedObjects.Form?
    if source.mapped != nil {
      // A new store has the source's tables; those of an existing store are known to the copy's connection.
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
      // The proof reads the source again.
      try explaining("cannot register SQL functions") { () throws(SQLiteError) in
        try ConvertedValue.register(on: reader, isLenient: false)
      }
    }
    written = pending
    return pending.notes
  }

  /// Returns the source's place with its known kind, if the database itself is open.
  ///
  /// Detecting the kind again would open and close the file, which releases every lock that this process has on it.
  private func known(_ location: StoreLocation, _ source: any SourceStore) -> StoreLocation {
    guard location.kind == nil, let path = source.path, Files.isSamePlace(path, location.place)
    else { return location }
    return StoreLocation(kind: source.identity.kind, place: location.place)
  }

  /// Gives the file its final name; if nothing was rejected, removes a file of an earlier run.
  func publish() throws(DecantError) {
    try check()
    do throws(SystemError) { try Files.remove(path) } catch { throw DecantError(error) }
    try written?.publish()
    written = nil
  }

  /// Gives the file of an interrupted run, whose copy is done, its final name; returns whether there is one.
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

  /// Removes the file, or reports its place if the copy exists nevertheless.
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
