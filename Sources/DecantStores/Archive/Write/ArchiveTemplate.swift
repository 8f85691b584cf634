internal import Decant
internal import SQLite

/// A store without its objects: what makes a store of the same kind and model out of an archive.
enum ArchiveTemplate {
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
    options: CopyOptions
  ) throws(DecantError) -> String {
    var template = CopyOptions()
    template.model = options.model
    template.links = options.links
    template.noLinks = options.noLinks
    template.leftOutTables = options.leftOutTables
    template.keepsMetadata = options.keepsMetadata
    template.verifies = false
    // Without the model nobody knows what leaving objects out would cut: all are copied, and taken out again.
    let leavesOut = source.modelGap == nil
    if leavesOut { template.filters = nothing(of: source) }
    let place = StoreLocation(kind: source.identity.kind, place: path)
    let report = try Copy(from: location, to: place, options: template, opener: StoreKinds()).run()
    // Links whose owner is not there come along even so, and are told in lines of their own.
    let objects = leavesOut ? [] : source.layout.relations.map(\.table)
    try empty(path, tables: objects + source.layout.linkRelations.map(\.table))
    return report.sourceFingerprint
  }

  /// Conditions that no object meets.
  private static func nothing(of source: any SourceStore) -> [CopyOptions.Filter] {
    source.model.roots.compactMap { entity in
      guard source.layout.relation(of: entity.name) != nil else { return nil }
      return CopyOptions.Filter(entity: entity.name, expression: "0")
    }
  }

  /// Takes all rows out of `tables` of the store at `path`, so that nothing of them stays in free pages
  /// either.
  private static func empty(_ path: String, tables: [String]) throws(DecantError) {
    guard !tables.isEmpty else { return }
    try explaining("cannot empty the tables of “\(path)”") { () throws(SQLiteError) in
      let connection = try Connection(path, mode: .readWrite)
      try connection.setTriggersEnabled(false)
      let before = try connection.integer("SELECT total_changes()")
      for table in tables { try connection.run("DELETE FROM main.\(table.sqlName)") }
      guard try connection.integer("SELECT total_changes()") != before else { return }
      try connection.run("VACUUM")
    }
  }
}
