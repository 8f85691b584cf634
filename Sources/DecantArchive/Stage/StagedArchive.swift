internal import DecantCoreData
internal import DecantPlain
internal import DecantContainers
package import DecantBase
package import DecantPlan
internal import DecantStore

/// An archive that was read into a temporary database, which is an ordinary store.
package final class StagedArchive: Sendable {
  /// The path that the user named; for an archive in parts that of the first.
  package let place: String
  package let header: ArchiveHeader
  /// The error of a salvaged archive, and what is missing.
  package let damage: DecantError?
  private let missing: String
  /// Whether skipped objects are reported individually, with reasons.
  private let tellsSkipped: Bool
  /// The objects of a file of rejects that were skipped.
  package let skipped: SkippedRejects
  /// The number of stubs by entity; see `ReferenceStubs`.
  package let stubCounts: [String: Int64]
  /// The names of the attributes that identify stubs, by entity.
  package let stubKeys: [String: [String]]
  /// The number of links to referenced objects that are empty, because there is no stub.
  package let unfollowedCount: Int64
  private let path: String
  private let origin: [FileStatus?]
  private let folder: ScratchFolder

  private init(
    place: String,
    header: ArchiveHeader,
    damage: DecantError?,
    missing: String,
    tellsSkipped: Bool,
    skipped: SkippedRejects,
    stubCounts: [String: Int64],
    stubKeys: [String: [String]],
    unfollowedCount: Int64,
    path: String,
    origin: [FileStatus?],
    folder: ScratchFolder
  ) {
    self.place = place
    self.header = header
    self.damage = damage
    self.missing = missing
    self.tellsSkipped = tellsSkipped
    self.skipped = skipped
    self.stubCounts = stubCounts
    self.stubKeys = stubKeys
    self.unfollowedCount = unfollowedCount
    self.path = path
    self.origin = origin
    self.folder = folder
  }

  /// Reads all of an archive, and checks it against its receipt.
  ///
  /// - Parameters:
  ///   - paths: The parts, in order; `-` is standard input.
  ///   - limits: The limits for the archive.
  ///   - salvages: Whether to take the intact objects of a damaged archive.
  ///   - keepsReferences: Whether to create stubs for referenced objects, to be matched in another store.
  ///   - model: The model that values of rejected objects are checked against; `nil` for that of the header.
  ///   - holdsBack: Whether to skip objects that point to rejected objects which were not repaired.
  ///   - cancellation: Ends the reading.
  ///   - onProgress: Receives the number of objects so far, and the total, from time to time.
  /// - Returns: The archive, as a store.
  /// - Throws: `DecantError` of the family `.corruptStore` for an error in it.
  package static func read(
    _ paths: [String],
    limits: ArchiveLimits = ArchiveLimits(),
    salvages: Bool = false,
    keepsReferences: Bool = false,
    model: Model? = nil,
    holdsBack: Bool = false,
    cancellation: Cancellation = Cancellation(),
    _ onProgress: @escaping (WorkProgress) -> Void = { _ in }
  ) throws(DecantError) -> StagedArchive {
    let place = paths.first ?? ""
    let origin = paths.map { FileStatus($0) }
    for path in paths where path != ArchivePlace.pipe { try DatabaseFile.checkIsFile(path) }
    let folder = try ScratchFolder()
    let stager = try ArchiveStager(
      in: folder.path,
      keepsReferences: keepsReferences,
      model: model,
      holdsBack: holdsBack
    )
    let reader = ArchiveReader(stager, limits: limits, salvages: salvages, cancellation: cancellation)
    reader.onProgress = { [weak reader] entity, objects, bytes in
      onProgress(
        WorkProgress(
          phase: .read,
          step: entity,
          rowCount: objects,
          expectedRowCount: max(objects, reader?.header?.objectCount ?? 0),
          byteCount: bytes
        )
      )
    }
    for path in paths {
      let stream = try ArchiveStream(path, limits: limits)
      try reader.read(stream.lines, of: path)
      guard reader.damage == nil else { continue }
      try stream.finish()
    }
    try reader.finish(place)
    guard let header = reader.header else {
      throw ArchiveFault("it is empty").error(place, line: nil)
    }
    try ArchiveFault.telling(place) { try stager.finish() }
    var skipped = reader.skipped
    skipped.add(stager.skipped)
    return StagedArchive(
      place: place,
      header: header,
      damage: reader.damage,
      missing: reader.missingText,
      tellsSkipped: holdsBack,
      skipped: skipped,
      stubCounts: stager.stubCounts,
      stubKeys: stager.stubKeys,
      unfollowedCount: stager.unfollowedCount,
      path: stager.path,
      origin: origin,
      folder: folder
    )
  }

  /// The place of the database; it lasts as long as this does.
  package var databasePath: String { path }

  /// Returns the database, which is called by the name of the archive in errors.
  private func database() throws(DecantError) -> DatabaseFile {
    try DatabaseFile.made(
      path,
      of: place,
      kind: ArchiveKind.name,
      origin: origin,
      notes: (damage.map { damage in
        [
          ReportNote(
            .salvaged,
            "only complete objects were read: \([damage.what, damage.spot].compactMap(\.self).joined(separator: ", "))"
          ),
          ReportNote(.salvaged, "missing: \(missing.isEmpty ? "nothing listed in the header" : missing)"),
        ]
      } ?? []) + (tellsSkipped ? [] : [skipped.note(of: place)].compactMap(\.self)),
      keeper: folder,
      isFinal: true
    )
  }

  /// Returns the objects as a store.
  package func source(options: CopyOptions) throws(DecantError) -> any SourceStore {
    guard header.hasModel || options.model == nil else {
      throw PlainKind.hasNoModel(StoreLocation(kind: ArchiveKind.name, place: place))
    }
    let kind: any DatabaseKind =
      header.hasModel ? ArchiveKind.database(named: header.source.kind) ?? PlainKind() : PlainKind()
    return try kind.source(in: database(), uuid: header.keysUUID, fallback: header.ownModel, options: options)
  }

  /// Returns the objects as a store, to be copied to `other` or compared with it.
  package func source(facing other: FacingStore, options: CopyOptions) throws(DecantError) -> any SourceStore {
    guard !header.hasModel, let model = try other.model(options) else {
      return try source(options: options)
    }
    try CoreDataKind.checkOptions(options, other.location)
    return try ObjectsSource(PlainFile(database(), options: options), model: model)
  }
}
