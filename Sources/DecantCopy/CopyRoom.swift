package import DecantBase
internal import DecantPlan
internal import DecantStore
package import DecantSQLite

/// The maximum disk space that a copy needs at its destination, in bytes.
package struct CopyRoom {
  private var byteCount: Int64

  /// Calculates the space for the rows of a database of this size: once, and again for a log or for sorting indexes.
  ///
  /// For new stores of 20 to 80 MB with indexes the peak was measured at 1 to 1.3 times the size; an index on an
  /// expression may be larger than its table.
  package init(databaseByteCount: Int64) {
    byteCount = databaseByteCount * 2
  }

  /// Calculates the space for the pages of a database of this size.
  ///
  /// - Parameters:
  ///   - pageByteCount: The size of the database by its pages, with those in its write-ahead log.
  ///   - isRewritten: Whether the pages are written again, which takes a temporary file and a journal of the same size.
  private init(pageByteCount: Int64, isRewritten: Bool) {
    byteCount = pageByteCount * (isRewritten ? 3 : 1)
  }

  /// Calculates the space for copying from `source` to `destination`.
  ///
  /// What a selection of objects needs is not known in advance; a full disk ends the copy, which can be resumed.
  init(
    _ planning: any PlannedCopy,
    from source: any SourceStore,
    to destination: any DestinationStore,
    at file: StoreFile,
    _ options: CopyOptions
  ) {
    let isSelection = !options.filters.isEmpty || !options.roots.isEmpty
    if destination.takesPages(options) {
      self.init(pageByteCount: planning.sourceByteCount, isRewritten: destination.about.rewritesPages)
    } else {
      self.init(databaseByteCount: isSelection ? 0 : planning.sourceByteCount)
    }
    if !destination.isNew, options.commit == .batch {
      // The store is copied first; on a file system with copy-on-write clones this is more than needed.
      let file = Files.target(of: file.path)
      let sizes = ["", "-wal"].map { FileStatus(file + $0)?.byteCount ?? 0 }
      byteCount += sizes.reduce(0, +)
    }
    if options.leftOver == .resume {
      let made =
        destination.isNew ? file.path + ".decant-partial" : WorkFolder.made(by: .copy, of: Files.target(of: file.path))
      byteCount = max(0, byteCount - (FileStatus(made)?.byteCount ?? 0))
    }
    // For selected or existing objects, the files they have are not known in advance.
    guard options.filters.isEmpty, options.roots.isEmpty, !options.takesNoObjects,
      !options.matchesObjects(isNew: destination.isNew), let files = source.externalStorage,
      CopyRoom.takesFiles(source.layout, destination.layout)
    else { return }
    addFiles(in: files.folder, besides: destination.externalStorage?.folder)
  }

  /// Adds the size of the files in `folder`, except those that are already in the folder `other`.
  ///
  /// Files behind a link are not counted, because they are not read.
  package mutating func addFiles(in folder: String, besides other: String?) {
    guard
      ![folder, Files.folder(of: folder)].contains(where: {
        FileStatus(unfollowed: $0)?.isLink == true
      })
    else { return }
    var sum = byteCount
    // An unreadable file is reported when it is copied.
    try? Files.forEachName(in: folder) { name in
      guard let file = FileStatus(unfollowed: "\(folder)/\(name)"), file.isFile else { return }
      let there = other.flatMap { FileStatus(unfollowed: "\($0)/\(name)") }
      if there?.isFile == true, there?.byteCount == file.byteCount { return }
      let (more, overflow) = sum.addingReportingOverflow(file.byteCount)
      sum = overflow ? Int64.max : more
    }
    byteCount = sum
  }

  /// Throws if this space is not free next to `path`, called `name` in the message if given.
  package func check(beside path: String, as name: String? = nil) throws(DecantError) {
    try Files.checkRoom(
      for: byteCount,
      beside: path,
      as: name,
      "the copy needs up to",
      remedy: "free some space, or use a destination on another disk"
    )
  }

  /// Returns the size of the database `schema` by its pages.
  package static func byteCount(of schema: String, on connection: Connection) throws(SQLiteError) -> Int64 {
    let pages = try connection.integer("PRAGMA \(schema).page_count") ?? 0
    return pages * (try connection.integer("PRAGMA \(schema).page_size") ?? 0)
  }

  /// Returns whether values in external files are copied, into files or into rows.
  private static func takesFiles(_ source: Layout, _ destination: Layout) -> Bool {
    source.relations.contains { relation in
      let there = destination.relation(of: relation.root)
      return relation.columns.contains { $0.isExternal && there?.column($0.columnRole) != nil }
    }
  }
}
