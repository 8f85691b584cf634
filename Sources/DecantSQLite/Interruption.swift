internal import CDecantSQLite
internal import Synchronization

extension Connection {
  /// Has `isStopped` asked every `instructionCount` steps of SQLite's machine; true ends the statement.
  ///
  /// The check is a class, so that it can be asked without capturing; the connection keeps it. A step may be a function over
  /// all values of a row, some of them megabytes long: 1,000 steps are a hundred rows. Steps that take as long as the file is
  /// large are ended from another thread: ``longStep(_:)``.
  public func setProgressCheck(_ check: ProgressCheck?, every instructionCount: Int32 = 1_000) {
    interrupter?.end()
    interrupter = check.map { Interrupter(handle, $0) }
    guard let check else {
      sqlite3_progress_handler(handle, 0, nil, nil)
      return
    }
    keep(check)
    sqlite3_progress_handler(
      handle,
      instructionCount,
      { check in ProgressCheck.isStopped(check) ? 1 : 0 },
      Unmanaged.passUnretained(check).toOpaque()
    )
  }

  /// Runs `body`, whose statements may take long in a single step of SQLite's machine: checking the structure of a file,
  /// counting the rows of a table.
  ///
  /// Within such a step SQLite asks no progress check, so whoever asks to stop interrupts it. No transaction may be committed
  /// or rolled back in `body`.
  public func longStep<Result>(_ body: () throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
    guard let interrupter, interrupter.arm() else { return try body() }
    defer { interrupter.disarm() }
    return try body()
  }
}

extension Connection {
  /// Sets how long a statement waits for a lock that another connection holds; 0 to fail at once.
  ///
  /// The progress check is asked while it waits: a stop is an error that `isInterrupted`.
  public func setBusyTimeout(milliseconds: Int32) {
    wait = (milliseconds, false)
    guard milliseconds > 0 else {
      sqlite3_busy_handler(handle, nil, nil)
      return
    }
    sqlite3_busy_handler(
      handle,
      { connection, count in
        guard let connection else { return 0 }
        return Unmanaged<Connection>.fromOpaque(connection)._withUnsafeGuaranteedRef { $0.waits(count) } ? 1 : 0
      },
      Unmanaged.passUnretained(self).toOpaque()
    )
  }

  /// Waits for the `count`th time, from 0, for the same lock; returns false when that takes too long, or is to be stopped.
  private func waits(_ count: Int32) -> Bool {
    guard interrupter?.isStopped != true else {
      wait.isStopped = true
      return false
    }
    // Short waits at first, then longer ones: 1, 2, 4, 8, 16, 25, 25, … milliseconds.
    let pause: Int32 = count < 5 ? 1 << count : 25
    let passed: Int32 = count < 5 ? (1 << count) - 1 : 31 + 25 * (count - 5)
    guard passed < wait.milliseconds else { return false }
    sqlite3_sleep(min(pause, wait.milliseconds - passed))
    return true
  }
}

/// What a connection asks while a long statement runs.
open class ProgressCheck {
  /// Makes a check that never stops anything, until a subclass looks.
  public init() {}

  /// Returns true to end the statement that runs.
  open func isStopped() -> Bool { false }

  /// Takes what `isStopped` cannot end: it is to be interrupted once `isStopped` returns true.
  open func add(_ interrupter: Interrupter) {}

  /// Forgets what `add` took; its connection closes, or has another check.
  open func remove(_ interrupter: Interrupter) {}

  fileprivate static func isStopped(_ check: UnsafeMutableRawPointer?) -> Bool {
    guard let check else { return false }
    return Unmanaged<ProgressCheck>.fromOpaque(check)._withUnsafeGuaranteedRef { $0.isStopped() }
  }
}

/// Interrupts the long step in which a connection is, from any thread.
public final class Interrupter: Sendable {
  private nonisolated(unsafe) let handle: OpaquePointer
  private nonisolated(unsafe) let check: ProgressCheck
  private let state = Mutex((isArmed: false, wasArmed: false))

  fileprivate init(_ handle: OpaquePointer, _ check: ProgressCheck) {
    (self.handle, self.check) = (handle, check)
    check.add(self)
  }

  /// Whether the statement that runs is to end.
  var isStopped: Bool { check.isStopped() }

  /// Ends the long step; without one it does nothing.
  public func interrupt() {
    state.withLock { if $0.isArmed { sqlite3_interrupt(handle) } }
  }

  /// Lets the statements that follow be interrupted; returns false where they can be already.
  fileprivate func arm() -> Bool {
    let isFirst = state.withLock { state in
      defer { state = (isArmed: true, wasArmed: true) }
      return !state.isArmed
    }
    guard isFirst else { return false }
    // SQLite forgets an interruption when a statement begins. The statement looks once more after that, and the fence keeps
    // the two in this order: whoever stops says so before it interrupts.
    sqlite3_trace_v2(
      handle,
      UInt32(SQLITE_TRACE_STMT),
      { _, check, statement, _ in
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        if ProgressCheck.isStopped(check), let statement {
          sqlite3_interrupt(sqlite3_db_handle(OpaquePointer(statement)))
        }
        return 0
      },
      Unmanaged.passUnretained(check).toOpaque()
    )
    return true
  }

  fileprivate func disarm() {
    sqlite3_trace_v2(handle, 0, nil, nil)
    state.withLock { $0.isArmed = false }
  }

  /// Lets nobody interrupt the connection any more.
  fileprivate func end() {
    check.remove(self)
    disarm()
    // SQLite forgets an interruption only when a statement begins: else, when the connection closes, the log would not be
    // taken into the file.
    if state.withLock({ $0.wasArmed }) { sqlite3_exec(handle, "SELECT 1", nil, nil, nil) }
  }
}
