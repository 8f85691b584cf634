package import DecantBase
internal import DecantCopy
package import DecantPlan
package import DecantStore

/// A store without its objects: what makes a store of the same kind and model out of an archive.
package enum ArchiveTemplate {
  /// Makes one, without rows of an app's own tables, after the store at `location` at `path`, which is not there yet.
  package static func makeEmpty(like location: StoreLocation, at path: String, options: CopyOptions) throws(DecantError)
  {
    let source = try StoreKinds.known.openSource(location, options: options)
    _ = try make(after: source, location, at: path, options: options, takesRows: false, opener: StoreKinds.known)
  }

  /// Makes one after `source` at `path`, which is not there yet.
  ///
  /// Everything but objects and links is in it: tables, indexes and triggers, the model and its version
  /// hashes, an app's own tables; what syncing left is not.
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
