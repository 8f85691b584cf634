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
  ///   - fingerprint: The state of the source.
  /// - Returns: Its bytes; `nil` for a kind of store that needs none.
  /// - Throws: `DecantError`, also if the source is in another state.
  static func make(
    of source: any SourceStore,
    leavingOut leftOut: [String],
    in folder: ScratchFolder,
    fingerprint: Fingerprint
  ) throws(DecantError) -> [UInt8]? {
    let source = source.whole
    guard source is CoreDataSource || source is PlainSource else { return nil }
    let kind = source.identity.kind
    var options = CopyOptions()
    (options.takesNoObjects, options.verifies) = (true, false)
    options.takesNoRows = source is PlainSource
    options.leftOutTables = leftOut
    let path = "\(folder.path)/template.sqlite"
    let report = try Copy(
      from: StoreLocation(kind: kind, place: source.identity.place),
      to: StoreLocation(kind: kind, place: path),
      options: options,
      opener: TemplateOpener(source: source)
    ).perform()
    guard report.sourceFingerprint == fingerprint.description else {
      throw DecantError(
        .storeChanged,
        "“\(source.identity.place)” was changed while the copy was planned",
        remedy: "close the program that is writing it, then \(.again)"
      )
    }
    return try read(path)
  }

  private static func read(_ path: String) throws(DecantError) -> [UInt8] {
    do throws(SystemError) { return try Files.content(of: path) } catch { throw DecantError(error) }
  }
}

/// Opens one source, and new Core Data stores like it.
private struct TemplateOpener: StoreOpener {
  // Unchecked, but safe: the copy runs on the thread that created it.
  nonisolated(unsafe) let source: any SourceStore

  func openSource(_ location: StoreLocation, options: CopyOptions) throws(DecantError) -> any SourceStore { source }

  func openDestination(_ location: StoreLocation, like source: any SourceStore, options: CopyOptions)
    throws(DecantError) -> any DestinationStore
  {
    guard let plain = source as? PlainSource else {
      return try CoreDataKind().openDestination(location, like: source, options: options)
    }
    return PlainDestination(new: location.place, like: plain, options: options)
  }

  func write(_ rejects: RejectedObjects, of source: any SourceStore) throws(DecantError) -> any PendingFile {
    throw DecantError(.unsupportedRequest, "a template has no rejects")
  }
}
