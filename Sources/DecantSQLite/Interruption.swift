internal import CDecantSQLite

extension Connection {
  /// Has `isStopped` asked every `instructionCount` steps of SQLite's machine; true ends the statement.
  ///
  /// The check is a class, so that it can be asked without capturing; the connection keeps it. A step may be a function over
  /// all values of a row, some of them megabytes long: 1,000 steps are a hundred rows.
  public func setProgressCheck(_ check: ProgressCheck?, every instructionCount: Int32 = 1_000) {
    guard let check else {
      sqlite3_progress_handler(handle, 0, nil, nil)
      return
    }
    keep(check)
    sqlite3_progress_handler(
      handle,
      instructionCount,
      { check in
        guard let check else { return 0 }
        return Unmanaged<ProgressCheck>.fromOpaque(check)._withUnsafeGuaranteedRef {
          $0.isStopped() ? 1 : 0
        }
      },
      Unmanaged.passUnretained(check).toOpaque()
    )
  }
}

/// What a connection asks while a long statement runs.
open class ProgressCheck {
  /// Makes a check that never stops anything, until a subclass looks.
  public init() {}

  /// Returns true to end the statement that runs.
  open func isStopped() -> Bool { false }
}
