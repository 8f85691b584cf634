internal import DecantSQLite

/// A write-ahead log as it lies on the disk: how much of it SQLite shows, and whether that is all.
///
/// SQLite takes a log whose header is damaged for an empty one, and reads no further than the first
/// frame that is not as it was written: whatever was committed behind it vanishes without a word. So
/// the log is looked through for commits that SQLite would not show.
struct WriteAheadLog: Equatable {
  /// Where the log is not what was written.
  enum Damage: Equatable {
    /// Its header.
    case header
    /// A frame, the first being 1, with committed content from there on.
    case frame(Int64, of: Int64)
  }

  /// What is wrong with the log, if anything is.
  private(set) var damage: Damage?
  /// Frames up to the end of the last transaction that SQLite shows.
  private(set) var shownFrameCount: Int64 = 0
  /// The size of the database after that transaction, in pages.
  private(set) var pageCount: Int64 = 0
  /// Whether the log ends in a transaction that has no end: as a rule of a process that was killed.
  private(set) var endsUnfinished = false

  /// Looks through `log`; `nil` where it became shorter meanwhile.
  init?(_ log: FileView) {
    let byteCount = log.byteCount
    guard byteCount > 0 else { return }
    guard let frames = LogFrames(log, byteCount: byteCount) else {
      // A log that never got beyond its header holds nothing that could be lost.
      if byteCount != LogFrames.headerByteCount { damage = .header }
      return
    }
    var firstUnshown: (frame: Int64, head: LogFrames.Head, hasRightChecksum: Bool)?
    var validCount: Int64 = 0
    let isWhole = frames.walk { frame, head, hasRightChecksum in
      guard hasRightChecksum, head.salts == frames.salts, head.page != 0 else {
        firstUnshown = (frame, head, hasRightChecksum)
        return false
      }
      validCount = frame + 1
      if head.isCommit {
        shownFrameCount = validCount
        pageCount = Int64(head.pageCount)
      }
      return true
    }
    guard isWhole else { return nil }
    endsUnfinished = validCount > shownFrameCount
    guard let firstUnshown else {
      // Less than a frame: it was being written, or the log was cut off.
      if frames.restByteCount > 0 {
        let isOwn = frames.restSalts().map { $0 == frames.salts } ?? true
        endsUnfinished = endsUnfinished || isOwn
      }
      return
    }
    // An earlier use of the log may have left the frame; then both its salts differ, and so does the
    // sum. If any of them fits, the frame belongs here.
    let isOwn = zip(firstUnshown.head.salts, frames.salts).contains { $0 == $1 }
    if firstUnshown.hasRightChecksum || (isOwn && firstUnshown.head.isCommit) {
      damage = .frame(firstUnshown.frame + 1, of: frames.count)
    }
    if isOwn { endsUnfinished = true }
    guard damage == nil else { return }
    for frame in (firstUnshown.frame + 1)..<max(firstUnshown.frame + 1, frames.count) {
      guard let head = frames.head(of: frame) else { return nil }
      guard head.salts == frames.salts else { continue }
      endsUnfinished = true
      guard head.isCommit else { continue }
      damage = .frame(firstUnshown.frame + 1, of: frames.count)
      return
    }
  }
}

extension WriteAheadLog {
  /// Returns whether every page that `file` is too short for is in `log`, as far as SQLite shows it.
  func holdsPages(missingIn file: FileView, _ log: FileView) -> Bool {
    guard shownFrameCount > 0, let frames = LogFrames(log, byteCount: log.byteCount) else {
      return true
    }
    let there = file.byteCount / Int64(frames.pageSize)
    guard pageCount > there else { return true }
    // Each needs a frame; so the bits are never more than the frames, whatever a page number says.
    guard pageCount - there <= shownFrameCount + 1 else { return false }
    var isFound = [Bool](repeating: false, count: Int(pageCount - there))
    // The page where locks are taken is never written.
    let lockPage = 0x4000_0000 / Int64(frames.pageSize) + 1
    if lockPage > there, lockPage <= pageCount { isFound[Int(lockPage - there) - 1] = true }
    for frame in 0..<shownFrameCount {
      guard let page = frames.head(of: frame).map({ Int64($0.page) }) else { return true }
      if page > there, page <= pageCount { isFound[Int(page - there) - 1] = true }
    }
    return !isFound.contains(false)
  }
}
