internal import DecantArchive
package import DecantBase
internal import DecantCoreData
internal import DecantCopy
package import DecantPlan
package import DecantStore

/// A store without its objects, from which an archive can be turned into a store of the same kind and model.
package enum ArchiveTemplate {
  /// Makes a template of the store at `location` at `path`, without rows of an app's own tables; `path` must not exist.
  package static func makeEmpty(like location: StoreLocation, at path: String, options: CopyOptions) throws(DecantError)
  {
    let source = try StoreKinds.known.openSource(location, options: options)
    _ = try make(after: source, location, at: path, options: options, takesRows: false, opener: StoreKinds.known)
  }

  /// Makes an empty Core Data store of a model at `path`, which must not exist.
  ///
  /// - Parameters:
  ///   - model: The path of the model; append `#Version` for another version than the current one.
  ///   - path: The path of the new store.
  ///   - folder: The folder for temporary files.
  /// - Throws: `DecantError` if there is no such model, or if a model without its compiled form does not determine a
  ///   table.
  package static func makeEmpty(ofModel model: String, at path: String, folder: String) throws(DecantError) {
    let read = try ModelLocation(model).read()
    let archive = "\(folder)/empty.decant"
    let file = try OutputFile(archive)
    file.write(EmptyArchive.text(read))
    try file.close()
    defer { try? Files.remove(archive) }
    var making = Import([archive], into: "\(CoreDataKind.name):\(path)")
    making.options.template = model
    making.options.isUnversioned = read.entities.contains { $0.versionHash == nil }
    try making.run()
  }

  /// Makes a template of `source` at `path`, which must not exist.
  ///
  /// It contains everything but objects and links: tables, indexes and triggers, the model and its version hashes, an
  /// app's own tables; it does not contain sync metadata.
  ///
  /// - Returns: The fingerprint of the state that was read.
  static func make(
    after source: any SourceStore,
    _ location: StoreLocation,
    at path: String,
    options: CopyOptions,
    takesRows: Bool = true,
    opener: any StoreOpener
  ) throws(DecantError) -> String {
    var template = options.takingAll
    template.takesNoObjects = true
    template.takesNoRows = !takesRows
    template.verifies = false
    let place = StoreLocation(kind: source.identity.kind, place: path)
    return try Copy(from: location, to: place, options: template, opener: opener).run()
      .sourceFingerprint
  }
}
