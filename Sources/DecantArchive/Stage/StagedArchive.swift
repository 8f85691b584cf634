internal import DecantCoreData
internal import DecantPlain
internal import DecantContainers
package import DecantBase
package import DecantPlan
internal import DecantStore

/// An archive that was read into a database of its own, in a temporary folder: a store like any other.
package final class StagedArchive: Sendable {
  /// What the user named; of an archive in parts the first of them.
  package let place: String
  package let header: ArchiveHeader
  /// What was wrong with it, where it was saved as far as it goes, and what is missing.
  package let damage: DecantError?
  private let missing: String
  /// Whether what is not taken is told one by one, with the reasons.
  private let tellsSkipped: Bool
  /// What of a file of rejects is none of the store's objects.
  package let skipped: SkippedRejects
  /// How many objects are only referred to, by entity; see `ReferenceStubs`.
  package let stubCounts: [String: Int64]
  /// The names of the attributes by which they are known, by entity.
  package let stubKeys: [String: [String]]
  /// How many links to objects that are only referred to are empty, as none were made for them.
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

  /// Reads an archive, all of it, and checks what its receipt says.
  ///
  /// - Parameters:
  ///   - paths: The parts, in their order; `-` is standard input.
  ///   - limits: How much it may ask for.
  ///   - salvages: Whether what is whole is taken where something is not.
  ///   - keepsReferences: Whether objects that links only refer to are made, to be found in another store.
  ///   - model: The model that values of rejected objects are held against; `nil` for the header's own.
  ///   - holdsBack: Whether objects wait that lead to rejected ones which were not mended.
  ///   - cancellation: Ends the reading.
  ///   - onProgress: Told from time to time how many objects there were, of how many.
  /// - Returns: The archive, as a store.
  /// - Throws: `DecantError` of the family `.corruptStore` for what is wrong with it.
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

  /// The database, which goes by the archive's name.
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
      keeper: folder
    )
  }

  /// The objects as a store.
  package func source(options: CopyOptions) throws(DecantError) -> any SourceStore {
    guard header.hasModel || options.model == nil else {
      throw PlainKind.hasNoModel(StoreLocation(kind: ArchiveKind.name, place: place))
    }
    let kind: any DatabaseKind =
      header.hasModel ? ArchiveKind.database(named: header.source.kind) ?? PlainKind() : PlainKind()
    return try kind.source(in: database(), uuid: header.keysUUID, fallback: header.ownModel, options: options)
  }

  /// The objects as a store whose objects go to `other`, or are held against it.
  package func source(facing other: FacingStore, options: CopyOptions) throws(DecantError) -> any SourceStore {
    guard !header.hasModel, let model = try other.model(options) else {
      return try source(options: options)
    }
    try CoreDataKind.checkOptions(options, other.location)
    return try ObjectsSource(PlainFile(database(), options: options), model: model)
  }
}
