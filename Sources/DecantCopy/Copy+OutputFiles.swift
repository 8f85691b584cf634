internal import DecantBase
internal import DecantMatch
internal import DecantMerge
internal import DecantPlan
internal import DecantStore

extension Copy {
  /// Throws if an output file would overwrite a store or any other existing file.
  func checkOutputFiles() throws(DecantError) {
    if let file = options.idTableFile { try IDTableFile(file).check() }
    if let file = options.rejectsFile { try RejectsFile(file).check() }
    if let file = options.merge?.conflictsFile { try ConflictFile(file).check() }
    let files = [
      options.idTableFile, options.idTableFile.map { $0 + IDTableFile.partialSuffix },
      options.rejectsFile, options.rejectsFile.map { $0 + ".decant-partial" },
      options.merge?.conflictsFile, options.merge?.decisionsFile,
    ].compactMap(\.self)
    for (position, file) in files.enumerated() {
      let stores = [source.place, destination.place].flatMap { place in
        ["", "-wal", "-shm", "-journal", ".decant-partial"].map { place + $0 }
      }
      let others = stores + files[..<position]
      guard others.contains(where: { Files.isSamePlace($0, file) }) else { continue }
      throw DecantError(
        .sameFile,
        "“\(file)” is given for two different files",
        place:
          "\(option: .keepIDs), \(option: .rejects), \(option: .conflicts), \(option: .decisions), source and destination must be different files",
        remedy: "give each a different name"
      )
    }
  }
}
