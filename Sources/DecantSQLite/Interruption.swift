internal import CDecantSQLite
internal import Synchronization

extension Connection {
  /// Sets a check that runs after every `instructionCount` instructions of SQLite's virtual machine; true ends the
  /// statement.
  ///
  /// The check is a class, so that it needs no closure; the connection keeps it. An instruction may be a function over
  /// all values of a row, some of them megabytes long: 1,000 instructions are about a hundred rows. A single
  /// instruction whose duration grows with the file is interrupted from another thread: ``longStep(_:)``.
  package func setProgressCheck(_ check: ProgressCheck?, every instructionCount: Int32 = 1_000) {
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

  /// Runs `body`, whose statements may take long in a single instruction of SQLite's virtual machine: checking the
  /// structure of a file, counting the rows of a table.
  ///
  /// SQLite calls no progress check within an instruction, so a request to stop interrupts it. `body` must not commit
  /// or roll back a transaction.
  package func longStep<Result>(_ body: () throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
    guard let interrupter, interrupter.arm() else { return try body() }
    defer { interrupter.disarm() }
    return try body()
  }
}

extension Connection {
  /// Sets how long a statement waits for a lock that another connection holds; 0 to fail at once.
  ///
  /// The progress check is called during the wait; a stop is an error with `isInterrupted`.
  package func setBusyTimeout(milliseconds: Int32) {
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

  /// Waits for a lock for the `count`th time, from 0; returns false after the timeout, or if the wait must stop.
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

/// A check that a connection calls while a long statement runs.
open class ProgressCheck {
  /// Creates a check that stops nothing unless a subclass overrides `isStopped`.
  public init() {}

  /// Returns true to end the running statement.
  open func isStopped() -> Bool { false }

  /// Registers an interrupter, to be called when `isStopped` becomes true, for steps that a check cannot end.
  open func add(_ interrupter: Interrupter) {}

  /// Unregisters an interrupter: its connection closes, or gets another check.
  open func remove(_ interrupter: Interrupter) {}

  fileprivate static func isStopped(_ check: UnsafeMutableRawPointer?) -> Bool {
    guard let check else { return false }
    return Unmanaged<ProgressCheck>.fromOpaque(check)._withUnsafeGuaranteedRef { $0.isStopped() }
  }
}

/// An interrupter for the long step of a connection, from any thread.
public final class Interrupter: Sendable {
  private nonisolated(unsafe) let handle: OpaquePointer
  private nonisolated(unsafe) let check: ProgressCheck
  private let state = Mutex((isArmed: false, wasArmed: false))

  fileprivate init(_ handle: OpaquePointer, _ check: ProgressCheck) {
    (self.handle, self.check) = (handle, check)
    check.add(self)
  }

  /// Whether the running statement must end.
  var isStopped: Bool { check.isStopped() }

  /// Ends the long step; otherwise has no effect.
  package func interrupt() {
    state.withLock { if $0.isArmed { sqlite3_interrupt(handle) } }
  }

  /// Makes the following statements interruptible; returns false if they already are.
  fileprivate func arm() -> Bool {
    let isFirst = state.withLock { state in
      defer { state = (isArmed: true, wasArmed: true) }
      return !state.isArmed
    }
    guard isFirst else { return false }
    // SQLite clears an interrupt when a statement begins. The statement therefore checks again afterwards; the fence
    // keeps the order, as a stop is flagged before it interrupts.
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

  /// Ends the use of the interrupter.
  fileprivate func end() {
    check.remove(self)
    disarm()
    // SQLite clears an interrupt only when a statement begins: otherwise closing the connection would skip the
    // checkpoint.
    if state.withLock({ $0.wasArmed }) { sqlite3_exec(handle, "SELECT 1", nil, nil, nil) }
  }
}
