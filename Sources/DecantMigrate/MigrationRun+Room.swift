internal import DecantBase
internal import DecantCopy
internal import DecantStore
internal import DecantVersions
internal import DecantSQLite

extension MigrationRun {
  /// Throws where a dry run can tell that there is no room for the first copy, as the run would.
  ///
  /// What a run that was cut off has left is gone on with, or makes room: then nothing is told.
  ///
  /// - Parameters:
  ///   - location: The store.
  ///   - stages: What has to be done; none for a copy as it is.
  ///   - file: The file beside which the migration works.
  ///   - output: Where the last copy appears, if it is not in the folder in which the migration works.
  /// - Throws: `DecantError`, the same as the copy's own.
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
  /// Whether an attribute whose values may lie in files is one of the later version, too.
  fileprivate var mayTakeFiles: Bool {
    let matching = ModelMatching(from: source.model, to: destination.model)
    return matching.pairs.contains { pair in
      matching.attributes(pair.source.name, pair.destination.name).common.contains {
        $0.source.part.allowsExternalStorage && $0.destination.part.isStored
      }
    }
  }
}
