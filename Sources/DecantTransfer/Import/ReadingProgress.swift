internal import DecantBase

/// How far the reading of several files has come, which count from 0 each.
final class ReadingProgress {
  private let onEvent: (WorkEvent) -> Void
  /// How many objects the headers of the archives promise that are still to come.
  private var expected: ArraySlice<Int64>
  /// Objects of the files that were read.
  private var doneCount: Int64 = 0
  private var last: WorkProgress?

  /// Begins; `expected` is how many objects each archive says that it has, in the order in which they are read.
  init(_ onEvent: @escaping (WorkEvent) -> Void, _ expected: [Int64]) {
    (self.onEvent, self.expected) = (onEvent, expected[...])
  }

  /// Ends an archive: what its header promised counts as read, also where it was too short to tell how far it was.
  func endArchive() {
    doneCount += max(last?.rowCount ?? 0, expected.first ?? 0)
    last = nil
    expected = expected.dropFirst()
    onEvent(
      .progress(
        WorkProgress(
          phase: .read,
          step: "",
          rowCount: doneCount,
          expectedRowCount: expected.reduce(doneCount, &+),
          byteCount: 0
        )
      )
    )
  }

  /// Ends the reading of what is no archive.
  func endOthers() {
    doneCount += last?.rowCount ?? 0
    last = nil
  }

  /// Tells the progress within a file as one within all.
  func take(_ progress: WorkProgress) {
    last = progress
    var whole = progress
    whole.rowCount += doneCount
    whole.expectedRowCount = max(expected.reduce(doneCount, &+), doneCount &+ progress.expectedRowCount)
    onEvent(.progress(whole))
  }
}
