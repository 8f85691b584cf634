internal import DecantBase

/// Combines the progress of several files, each of which counts from 0.
final class ReadingProgress {
  private let onEvent: (WorkEvent) -> Void
  /// The numbers of objects in the archives not yet read, according to their headers.
  private var expected: ArraySlice<Int64>
  /// The number of objects in the files read so far.
  private var doneCount: Int64 = 0
  private var last: WorkProgress?

  /// Starts; `expected` has the number of objects of each archive by its header, in reading order.
  init(_ onEvent: @escaping (WorkEvent) -> Void, _ expected: [Int64]) {
    (self.onEvent, self.expected) = (onEvent, expected[...])
  }

  /// Ends an archive; its expected count is done, even if it was too small to report progress.
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

  /// Ends the reading of the files that are not archives.
  func endOthers() {
    doneCount += last?.rowCount ?? 0
    last = nil
  }

  /// Reports the progress of one file as progress of all files.
  func take(_ progress: WorkProgress) {
    last = progress
    var whole = progress
    whole.rowCount += doneCount
    whole.expectedRowCount = max(expected.reduce(doneCount, &+), doneCount &+ progress.expectedRowCount)
    onEvent(.progress(whole))
  }
}
