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
    let chosen = options
    let path = "\(folder.path)/template.sqlite"
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
