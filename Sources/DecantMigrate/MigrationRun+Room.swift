internal import DecantBase
internal import DecantCopy
internal import DecantStore
internal import DecantVersions
internal import DecantSQLite

extension MigrationRun {
  /// Throws if a dry run can determine that there is no room for the first copy, as the real run would.
  ///
  /// The remains of an interrupted run are resumed or removed, which changes the space needed; nothing is checked then.
  ///
  /// - Parameters:
  ///   - location: The store.
  ///   - stages: The copies to make; empty for a copy without migration.
  ///   - file: The file next to which the migration works.
  ///   - output: Where the last copy appears, if not in the migration's work folder.
  /// - Throws: `DecantError`, the same as from the copy itself.
  func checkRoom(
    for location: StoreLocation,
    _ stages: [StagePlan],
    beside file: String,
    to output: String? = nil
  ) throws(DecantError) {
    guard FileStatus(unfollowed: WorkFolder.path(of: file)) == nil else { return }
    let target =
      stages.count > 1
      ? WorkFolder.between(1, of: file) : output ?? WorkFolder.made(of: file)
    var room = CopyRoom(databaseByteCount: try databaseByteCount(location.place))
    let opener = migration.opener
    if stages.first?.mayTakeFiles ?? true, let folder = opener.externalFolder(of: location.place) {
      room.addFiles(in: folder, besides: opener.externalFolder(of: target))
    }
    try room.check(beside: file, as: target)
  }

  private func databaseByteCount(_ place: String) throws(DecantError) -> Int64 {
    let database = try DatabaseFile.open(place)
    return try explaining("cannot measure “\(place)”") { () throws(SQLiteError) in
      let connection = try Connection(database.uri, mode: .readOnly)
      return try CopyRoom.byteCount(of: "main", on: connection)
    }
  }
}

extension StagePlan {
  /// Whether an attribute that allows external files is kept by the later version.
  fileprivate var mayTakeFiles: Bool {
    let matching = ModelMatching(from: source.model, to: destination.model)
    return matching.pairs.contains { pair in
      matching.attributes(pair.source.name, pair.destination.name).common.contains {
        $0.source.part.allowsExternalStorage && $0.destination.part.isStored
      }
    }
  }
}
