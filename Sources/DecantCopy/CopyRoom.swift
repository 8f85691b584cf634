package import DecantBase
internal import DecantPlan
internal import DecantStore
package import DecantSQLite

/// How much a copy may write at most on the disk of its destination, in bytes.
package struct CopyRoom {
  private var byteCount: Int64

  /// What the rows of a database of that size need: once, and once more for a log or for sorting indexes.
  package init(databaseByteCount: Int64) {
    byteCount = databaseByteCount * 2
  }

  /// What copying from `source` to `destination` needs.
  init(
    _ planning: any PlannedCopy,
    from source: any SourceStore,
    to destination: any DestinationStore,
    at file: StoreFile,
    _ options: CopyOptions
  ) {
    self.init(databaseByteCount: planning.sourceByteCount)
    if !destination.isNew, options.commit == .batch {
      // The store is copied first; where the file system copies without taking room, this asks for too much.
      let file = Files.target(of: file.path)
      let sizes = ["", "-wal"].map { FileStatus(file + $0)?.byteCount ?? 0 }
      byteCount += sizes.reduce(0, +)
    }
    // Of those that are chosen, or are there already, nobody knows before which files they have.
    guard options.filters.isEmpty, options.roots.isEmpty, !options.takesNoObjects,
      !options.matchesObjects(isNew: destination.isNew), let files = source.externalStorage,
      CopyRoom.takesFiles(source.layout, destination.layout)
    else { return }
    addFiles(in: files.folder, besides: destination.externalStorage?.folder)
  }

  /// Adds the files in `folder`, without those that are in the folder `other` already.
  ///
  /// None is taken through a link, as what is behind one is not read.
  package mutating func addFiles(in folder: String, besides other: String?) {
    guard
      ![folder, Files.folder(of: folder)].contains(where: {
        FileStatus(unfollowed: $0)?.isLink == true
      })
    else { return }
    var sum = byteCount
    // Who copies them says why they cannot be looked at.
    try? Files.forEachName(in: folder) { name in
      guard let file = FileStatus(unfollowed: "\(folder)/\(name)"), file.isFile else { return }
      let there = other.flatMap { FileStatus(unfollowed: "\($0)/\(name)") }
      if there?.isFile == true, there?.byteCount == file.byteCount { return }
      let (more, overflow) = sum.addingReportingOverflow(file.byteCount)
      sum = overflow ? Int64.max : more
    }
    byteCount = sum
  }

  /// Throws where that much is not free beside `path`, which the message calls `name` if it is given.
  package func check(beside path: String, as name: String? = nil) throws(DecantError) {
    try Files.checkRoom(
      for: byteCount,
      beside: path,
      as: name,
      "the copy needs up to",
      remedy: "free some space, or use a destination on another disk"
    )
  }

  /// The size of the database `schema` by its pages.
  package static func byteCount(of schema: String, on connection: Connection) throws(SQLiteError) -> Int64 {
    let pages = try connection.integer("PRAGMA \(schema).page_count") ?? 0
    return pages * (try connection.integer("PRAGMA \(schema).page_size") ?? 0)
  }

  /// Whether values that lie in files are taken, be it into files or into rows.
  private static func takesFiles(_ source: Layout, _ destination: Layout) -> Bool {
    source.relations.contains { relation in
      let there = destination.relation(of: relation.root)
      return relation.columns.contains { $0.isExternal && there?.column($0.columnRole) != nil }
    }
  }
}
