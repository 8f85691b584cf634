internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantTransfer
internal import Dispatch
internal import Synchronization

/// The pool of connections that read a store; each serves one read at a time.
final class StoreReaders: Sendable {
  private let location: StoreLocation
  let options: CopyOptions
  private let state: Mutex<State>
  /// The temporary folder of the store, removed with it.
  private let folder: ScratchFolder?
  /// Locked while the store is reopened.
  private let opening = Mutex(())
  private let turns = ReadTurns(count: StoreReaders.threadLimit)
  /// The number of connections that may still be opened.
  private let room = DispatchSemaphore(value: 0)

  /// The maximum number of idle connections kept.
  private static let idleLimit = 4
  /// The maximum number of asynchronous reads at a time; the others wait without occupying a thread.
  private static let threadLimit = 8
  /// The maximum number of connections; a loop holds its own until it ends.
  private static let connectionLimit = 64
  /// The time a read waits for a connection, in seconds.
  private static let patience = 5
  /// The queue of asynchronous reads: SQLite blocks, and Swift's own threads must not be blocked.
  private static let queue = DispatchQueue(label: "decant.store", attributes: .concurrent)

  private struct State {
    var source: SharedSource
    var idle: [StoreReader]
  }

  init(_ location: StoreLocation, _ options: CopyOptions, _ folder: ScratchFolder? = nil) throws(DecantError) {
    (self.location, self.options, self.folder) = (location, options, folder)
    let source = try SharedSource(location, options)
    state = Mutex(State(source: source, idle: [try source.reader()]))
    // A semaphore must not be deallocated while its value is below the initial one, so it starts at zero.
    for _ in 0..<Self.connectionLimit { room.signal() }
  }

  /// The model of the most recently opened file.
  var model: Model { state.withLock { $0.source.model } }

  /// Runs `body` on one state of the store.
  func reading<Result>(_ body: (StoreReader) throws(DecantError) -> Result) throws(DecantError) -> Result {
    let reader = try take()
    let result: Result
    do throws(DecantError) {
      try reader.begin()
      result = try body(reader)
    } catch {
      reader.end()
      giveBack(reader)
      throw error
    }
    reader.end()
    giveBack(reader)
    return result
  }

  /// Takes a connection for exclusive use, to the file that is currently at the store's path.
  func take() throws(DecantError) -> StoreReader {
    try ReadStop.check()
    guard room.wait(timeout: .now() + .seconds(Self.patience)) == .success else {
      throw DecantError(
        .storeLocked,
        "\(Self.connectionLimit) reads of “\(location.place)” are open already",
        remedy: "end loops over its objects before others begin, or read pages instead"
      )
    }
    do throws(DecantError) {
      let source = try currentSource()
      let idle = state.withLock { $0.source === source ? $0.idle.popLast() : nil }
      if let idle { return idle }
      return try source.reader()
    } catch {
      room.signal()
      throw error
    }
  }

  /// Closes the idle connections; with a write-ahead log they would keep others from locking the store.
  func closeIdle() {
    let idle = state.withLock { state in
      defer { state.idle = [] }
      return state.idle
    }
    _ = consume idle
  }

  /// Returns a connection that only checks for changes and never waits.
  func watcher() throws(DecantError) -> StoreReader {
    let reader = try currentSource().reader()
    reader.neverWaits()
    return reader
  }

  /// Returns a connection to the pool.
  func giveBack(_ reader: StoreReader) {
    state.withLock { state in
      // A connection to a file that was replaced is closed.
      if reader.source === state.source, state.idle.count < Self.idleLimit { state.idle.append(reader) }
    }
    room.signal()
  }

  /// Returns the store, reopened if its file was replaced.
  private func currentSource() throws(DecantError) -> SharedSource {
    let source = state.withLock { $0.source }
    if try source.isCurrent() { return source }
    return try opening.withLock { _ throws(DecantError) in
      let source = state.withLock { $0.source }
      if try source.isCurrent() { return source }
      let new = try SharedSource(location, options)
      let old = state.withLock { state in
        defer { state = State(source: new, idle: []) }
        return state.idle
      }
      // The old store's files are closed here, where nobody waits for the lock.
      _ = consume old
      return new
    }
  }

  /// Runs `body` on a thread that may block; cancelling the task ends the statement that runs there.
  func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws(DecantError) -> Result)
    async throws(DecantError) -> Result
  {
    let cancellation = Cancellation()
    let result: Swift.Result<Result, DecantError> = await withTaskCancellationHandler {
      guard await turns.take(cancellation) else { return .failure(ReadStop.error) }
      defer { turns.giveBack() }
      return await Self.onThread(cancellation, body)
    } onCancel: {
      cancellation.cancel()
      turns.endCancelled()
    }
    return try result.get()
  }

  /// Opens a store on a thread that may block.
  static func opened(_ location: StoreLocation, _ options: CopyOptions) async throws(DecantError) -> StoreReaders {
    try await onThread(Cancellation()) { () throws(DecantError) in try StoreReaders(location, options) }.get()
  }

  private static func onThread<Result: Sendable>(
    _ cancellation: Cancellation,
    _ body: @escaping @Sendable () throws(DecantError) -> Result
  ) async -> Swift.Result<Result, DecantError> {
    await withCheckedContinuation { continuation in
      queue.async {
        Cancellation.$current.withValue(cancellation) {
          continuation.resume(returning: Swift.Result { () throws(DecantError) in try body() })
        }
      }
    }
  }
}

/// The store that all connections attach, opened once; an archive is unpacked when it is opened.
///
/// `@unchecked Sendable`: `source` is private and used only under the lock, while a connection is made.
final class SharedSource: @unchecked Sendable {
  let model: Model
  private let place: String
  /// The status of the file when it was opened; `nil` if the place is not a file.
  private let file: FileStatus?
  private let source: any SourceStore
  private let making = Mutex(())
  private let hold: HeldFiles.Hold?

  init(_ location: StoreLocation, _ options: CopyOptions) throws(DecantError) {
    place = location.place
    // The status is read before opening: the next read then detects a replacement in between.
    file = FileStatus(place)
    hold = file?.isFile == true ? HeldFiles.Hold(place) : nil
    source = try StoreKinds.known.openSource(location, options: options)
    model = source.model
  }

  /// Whether the file at the store's path is still the same.
  ///
  /// - Throws: `DecantError` with the code `.storeNotFound` if the file was removed.
  func isCurrent() throws(DecantError) -> Bool {
    guard let file else { return true }
    guard let now = FileStatus(place) else {
      throw DecantError(
        .storeNotFound,
        "“\(place)” was removed while it was open",
        remedy: "restore it; the next read opens it again"
      )
    }
    return now.number == file.number && now.device == file.device
  }

  func reader() throws(DecantError) -> StoreReader {
    try making.withLock { _ throws(DecantError) in try StoreReader(source, of: self) }
  }
}
