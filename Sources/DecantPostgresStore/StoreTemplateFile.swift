internal import DecantBase
internal import DecantCopy
internal import DecantCoreData
internal import DecantPlain
internal import DecantPlan
internal import DecantSQLite
internal import DecantStore
internal import DecantSystem

/// A store without its objects: its tables, model, metadata, and an app's own tables.
enum StoreTemplateFile {
  /// Makes a template of `source`.
  ///
  /// - Parameters:
  ///   - source: The store, in the state that is copied.
  ///   - leftOut: The virtual tables that are left out.
  ///   - folder: The folder for temporary files.
  ///   - session: The session that reads the source.
  ///   - fingerprint: The state in which the session reads it.
  /// - Returns: Its bytes; `nil` for a kind of store that needs none.
  /// - Throws: `DecantError`; also if the parts of the source in the template have changed since.
  static func make(
    of source: any SourceStore,
    leavingOut leftOut: [String],
    in folder: ScratchFolder,
    _ session: CopySession,
    _ fingerprint: Fingerprint
  ) throws(DecantError) -> [UInt8]? {
    let source = source.whole
    guard source is CoreDataSource || source is PlainSource else { return nil }
    let kind = source.identity.kind
    var options = CopyOptions()
    (options.takesNoObjects, options.verifies) = (true, false)
    options.takesNoRows = source is PlainSource
    options.leftOutTables = leftOut
    let chosen = options
    let path = path(in: folder)
    let report = try Copy(
      from: StoreLocation(kind: kind, place: source.identity.place),
      to: StoreLocation(kind: kind, place: path),
      options: options,
      opener: OneStoreOpener(source: source) { location throws(DecantError) in
        if let plain = source as? PlainSource {
          return PlainDestination(new: location.place, like: plain, options: chosen)
        }
        return try CoreDataKind().openDestination(location, like: source, options: chosen)
      }
    ).perform()
    var isSame = report.sourceFingerprint == fingerprint.description
    if !isSame { isSame = try isSameSchema(source, session) }
    guard isSame else {
      throw DecantError(
        .storeChanged,
        "“\(source.identity.place)” was changed while the copy was planned",
        remedy: "close the program that is writing it, then \(.again)"
      )
    }
    return try read(path)
  }

  /// Adds to the template in `folder` what it has to keep of the copied objects of `source`: their references to files.
  ///
  /// - Returns: Its bytes; `nil` if there is nothing to add.
  static func complete(in folder: ScratchFolder, with source: any SourceStore, _ session: CopySession)
    throws(DecantError) -> [UInt8]?
  {
    let path = path(in: folder)
    guard source.whole is CoreDataSource, FileStatus(path) != nil else { return nil }
    return try FileReferences.keep(of: source, in: path, session) ? read(path) : nil
  }

  private static func path(in folder: ScratchFolder) -> String { "\(folder.path)/template.sqlite" }

  /// Whether an app has changed only objects since the state that the session reads: the template contains no objects,
  /// only the rows of the app's own tables.
  private static func isSameSchema(_ source: any SourceStore, _ session: CopySession) throws(DecantError) -> Bool {
    guard let path = source.path, source is PlainSource || source.extras.ownTables.isEmpty else { return false }
    return try explaining("cannot read “\(source.identity.place)”") { () throws(SQLiteError) in
      let now = try Connection(DatabaseFile.uri(of: path, "mode=ro"), mode: .readOnly)
      for fact in ["schema_version", "user_version", "application_id"] {
        let held = try session.connection.integer("PRAGMA \(CopySession.source).\(fact)")
        guard try now.integer("PRAGMA main.\(fact)") == held else { return false }
      }
      guard source is CoreDataSource else { return true }
      let metadata = "SELECT group_concat(Z_VERSION || quote(Z_UUID) || quote(Z_PLIST)) FROM"
      let held = try session.connection.text("\(metadata) \(CopySession.source).Z_METADATA")
      return try now.text("\(metadata) main.Z_METADATA") == held
    }
  }

  private static func read(_ path: String) throws(DecantError) -> [UInt8] {
    do throws(SystemError) { return try Files.content(of: path) } catch { throw DecantError(error) }
  }
}
