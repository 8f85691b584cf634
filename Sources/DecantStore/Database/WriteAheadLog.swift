internal import DecantBase
internal import DecantSQLite

/// A write-ahead log on disk: how much of it SQLite reads, and whether that is all.
///
/// SQLite treats a log with a damaged header as empty, and stops at the first invalid frame: all later commits are lost
/// silently. This type searches the log for commits that SQLite would not read.
struct WriteAheadLog: Equatable {
  /// The place of damage in the log.
  enum Damage: Equatable {
    /// Its header.
    case header
    /// A frame, counted from 1, with committed content from there on.
    case frame(Int64, of: Int64)
  }

  /// The damage, if any.
  private(set) var damage: Damage?
  /// The number of frames up to the end of the last transaction that SQLite reads.
  private(set) var shownFrameCount: Int64 = 0
  /// The size of the database after that transaction, in pages.
  private(set) var pageCount: Int64 = 0
  /// Whether the log ends with an incomplete transaction, usually of a process that was killed.
  private(set) var endsUnfinished = false

  /// Reads `log`; `nil` if it became shorter meanwhile.
  init?(_ log: FileView) {
    let byteCount = log.byteCount
    guard byteCount > 0 else { return }
    guard let frames = LogFrames(log, byteCount: byteCount) else {
      // A log without frames has nothing to lose.
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
      // Less than a frame: it was being written, or the log was truncated.
      if frames.restByteCount > 0 {
        let isOwn = frames.restSalts().map { $0 == frames.salts } ?? true
        endsUnfinished = endsUnfinished || isOwn
      }
      return
    }
    // The frame may come from an earlier use of the log; then both salts and the checksum differ. If any of them
    // matches, the frame belongs to this use.
    let isOwn = zip(firstUnshown.head.salts, frames.salts).contains { $0 == $1 }
    if firstUnshown.hasRightChecksum || (isOwn && firstUnshown.head.isCommit) {
      damage = .frame(firstUnshown.frame + 1, of: frames.count)
    }
    if isOwn { endsUnfinished = true }
    guard damage == nil else { return }
    for frame in (firstUnshown.frame + 1)..<max(firstUnshown.frame + 1, frames.count) {
      guard Cancellation.current?.isCancelled != true else { return nil }
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
  /// Returns whether every page beyond the end of `file` is in the part of `log` that SQLite reads.
  func holdsPages(missingIn file: FileView, _ log: FileView) -> Bool {
    guard shownFrameCount > 0, let frames = LogFrames(log, byteCount: log.byteCount) else {
      return true
    }
    let there = file.byteCount / Int64(frames.pageSize)
    guard pageCount > there else { return true }
    // Each page needs a frame; this bounds the array whatever a page count says.
    guard pageCount - there <= shownFrameCount + 1 else { return false }
    var isFound = [Bool](repeating: false, count: Int(pageCount - there))
    // The page of the lock bytes is never written.
    let lockPage = 0x4000_0000 / Int64(frames.pageSize) + 1
    if lockPage > there, lockPage <= pageCount { isFound[Int(lockPage - there) - 1] = true }
    for frame in 0..<shownFrameCount {
      guard Cancellation.current?.isCancelled != true else { return true }
      guard let page = frames.head(of: frame).map({ Int64($0.page) }) else { return true }
      if page > there, page <= pageCount { isFound[Int(page - there) - 1] = true }
    }
    return !isFound.contains(false)
  }
}
