internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantTransfer
internal import Dispatch
internal import Synchronization

/// The connections that read a store, each used by one read at a time and kept for the next.
final class StoreReaders: Sendable {
  private let location: StoreLocation
  let options: CopyOptions
  private let state: Mutex<State>
  /// What lies about as long as the store is open, and goes with it.
  private let folder: ScratchFolder?
  /// Held while the store is opened anew.
  private let opening = Mutex(())
  private let turns = ReadTurns(count: StoreReaders.threadLimit)
  /// How many more connections there may be.
  private let room = DispatchSemaphore(value: 0)

  /// How many connections are kept.
  private static let idleLimit = 4
  /// How many reads that are awaited run at a time; others wait for their turn, and take no thread meanwhile.
  private static let threadLimit = 8
  /// How many connections there are at most; loops hold theirs until they end.
  private static let connectionLimit = 64
  /// How long a read waits for a connection, in seconds.
  private static let patience = 5
  /// Where reads that are awaited run: SQLite blocks, and Swift's own threads must not be blocked.
  private static let queue = DispatchQueue(label: "decant.store", attributes: .concurrent)

  private struct State {
    var source: SharedSource
    var idle: [StoreReader]
  }

  init(_ location: StoreLocation, _ options: CopyOptions, _ folder: ScratchFolder? = nil) throws(DecantError) {
    (self.location, self.options, self.folder) = (location, options, folder)
    let source = try SharedSource(location, options)
    state = Mutex(State(source: source, idle: [try source.reader()]))
    // A semaphore that begins with its room must not go while less of it is free.
    for _ in 0..<Self.connectionLimit { room.signal() }
  }

  /// The model of the file that was opened last.
  var model: Model { state.withLock { $0.source.model } }

  /// Has `body` read one state of the store.
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

  /// A connection that nobody else uses, to the file that is at the store's place now.
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

  /// Closes the connections that nobody uses: those to a store with a write-ahead log keep others from locking it.
  func closeIdle() {
    let idle = state.withLock { state in
      defer { state.idle = [] }
      return state.idle
    }
    _ = consume idle
  }

  /// A connection that only looks for changes, and never waits.
  func watcher() throws(DecantError) -> StoreReader {
    let reader = try currentSource().reader()
    reader.neverWaits()
    return reader
  }

  /// Keeps a connection for the next read.
  func giveBack(_ reader: StoreReader) {
    state.withLock { state in
      // One to a file that was replaced is closed.
      if reader.source === state.source, state.idle.count < Self.idleLimit { state.idle.append(reader) }
    }
    room.signal()
  }

  /// The store, opened anew where another file has taken its place.
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
      // Their files are closed here, where nobody waits for the lock.
      _ = consume old
      return new
    }
  }

  /// Does `body` on a thread that may be blocked; a task that is cancelled ends the statement that runs there.
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

  /// Opens a store on a thread that may be blocked.
  static func opened(_ location: StoreLocation, _ options: CopyOptions) async throws(DecantError) -> StoreReaders {
    try await onThread(Cancellation()) { () throws(DecantError) in try StoreReaders(location, options) }.get()
  }

  private static func onThread<Result: Sendable>(
    _ cancellation: Cancellation,
    _ body: @escaping @Sendable () throws(DecantError) -> Result
  ) async -> Swift.Result<Result, DecantError> {
    await withCheckedContinuation { continuation in
      queue.async {
        ReadStop.$cancellation.withValue(cancellation) {
          continuation.resume(returning: Swift.Result { () throws(DecantError) in try body() })
        }
      }
    }
  }
}

/// The store that all connections attach, opened once: an archive is unpacked for that.
///
/// `@unchecked Sendable`: `source` is private, and asked under the lock alone, while a connection is made.
final class SharedSource: @unchecked Sendable {
  let model: Model
  private let place: String
  /// The file as it was opened; `nil` for what is no file.
  private let file: FileStatus?
  private let source: any SourceStore
  private let making = Mutex(())
  private let hold: HeldFiles.Hold?

  init(_ location: StoreLocation, _ options: CopyOptions) throws(DecantError) {
    place = location.place
    // Looked at before: what comes in between is noticed by the next read.
    file = FileStatus(place)
    hold = file?.isFile == true ? HeldFiles.Hold(place) : nil
    source = try StoreKinds.known.openSource(location, options: options)
    model = source.model
  }

  /// Whether it is still the file at its place.
  ///
  /// - Throws: `DecantError` of the code `.storeNotFound` where there is none any more.
  func isCurrent() throws(DecantError) -> Bool {
    guard let file else { return true }
    guard let now = FileStatus(place) else {
      throw DecantError(
        .storeNotFound,
        "“\(place)” was removed while it was open",
        remedy: "put it back; the next read opens it anew"
      )
    }
    return now.number == file.number && now.device == file.device
  }

  func reader() throws(DecantError) -> StoreReader {
    try making.withLock { _ throws(DecantError) in try StoreReader(source, of: self) }
  }
}
