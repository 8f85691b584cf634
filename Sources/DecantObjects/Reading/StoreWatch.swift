internal import DecantBase
internal import Dispatch
internal import Synchronization

/// Detects changes of a store, and passes them to the subscribers.
///
/// The store reports its own writes. For those of other connections the watch polls SQLite's data version while there
/// are subscribers.
final class StoreWatch: Sendable {
  private let readers: StoreReaders
  private let state = Mutex(State())
  private let known = Mutex<Known?>(nil)
  private let queue = DispatchQueue(label: "decant.watch")
  /// The polling interval in milliseconds.
  private static let interval = 250

  private struct State {
    var subscribers: [Int: ChangeSubscriber] = [:]
    var nextNumber = 0
    var isAsking = false
  }

  /// The state of the store that the subscribers know of.
  private struct Known {
    let reader: StoreReader
    var version: Int64?
    /// Whether a transaction of this store is open, so that nobody else could have written.
    var isHeld = false
  }

  init(_ readers: StoreReaders) { self.readers = readers }

  /// Passes changes to `subscriber` from now on, until `end` is called with the returned number.
  func begin(_ subscriber: ChangeSubscriber) -> Int {
    var (number, isFirst) = (0, false)
    ask {
      (number, isFirst) = state.withLock { state in
        defer { (state.nextNumber, state.isAsking) = (state.nextNumber + 1, true) }
        state.subscribers[state.nextNumber] = subscriber
        return (state.nextNumber, !state.isAsking)
      }
    }
    if isFirst { askAgain() }
    return number
  }

  func end(_ number: Int) {
    state.withLock { _ = $0.subscribers.removeValue(forKey: number) }
  }

  /// Checks for writes of others; called in the open transaction of an own write.
  func noteWriting() {
    guard isWaitedFor else { return }
    ask()
    known.withLock { known in known?.isHeld = true }
  }

  /// Reports an own write after its commit.
  func note(_ entities: Set<String>?) {
    guard isWaitedFor else { return }
    known.withLock { known in
      // Nobody else wrote since `noteWriting`, so the new version is that of the own write.
      guard let held = known, held.isHeld else { return }
      known?.isHeld = false
      if let version = try? held.reader.dataVersion() { known?.version = version }
    }
    tell(StoreChange(entities: entities))
  }

  /// Closes the connection while `body` locks the whole store; then reports that anything may have changed.
  func standAside<Result>(_ body: () throws(DecantError) -> Result) throws(DecantError) -> Result {
    try known.withLock { known throws(DecantError) in
      known = nil
      defer { if isWaitedFor { tell(StoreChange(entities: nil)) } }
      return try body()
    }
  }

  private var isWaitedFor: Bool { state.withLock { !$0.subscribers.isEmpty } }

  private func tell(_ change: StoreChange) {
    let subscribers = state.withLock { Array($0.subscribers.values) }
    for subscriber in subscribers { subscriber.take(change, of: readers.model) }
  }

  private func askAgain() {
    queue.asyncAfter(deadline: .now() + .milliseconds(Self.interval)) { [weak self] in
      guard let self else { return }
      let goesOn = known.withLock { known in
        let goesOn = state.withLock { state in
          state.isAsking = !state.subscribers.isEmpty
          return state.isAsking
        }
        if !goesOn { known = nil }
        return goesOn
      }
      guard goesOn else { return }
      ask()
      askAgain()
    }
  }

  /// Checks for a change of the store and reports it; then runs `next` before the next check.
  private func ask(then next: () -> Void = {}) {
    do throws(DecantError) {
      try known.withLock { known throws(DecantError) in
        defer { next() }
        if let change = try Self.look(&known, readers) { tell(change) }
      }
    } catch {
      // The store is locked or has no file at the moment: the next check follows soon.
      guard error.family != .storeBusy, error.code != .storeNotFound else { return }
      let subscribers = state.withLock { state in
        defer { state.subscribers = [:] }
        return Array(state.subscribers.values)
      }
      for subscriber in subscribers { subscriber.end(error) }
    }
  }

  private static func look(_ known: inout Known?, _ readers: StoreReaders) throws(DecantError) -> StoreChange? {
    guard let last = known, try last.reader.source?.isCurrent() == true else {
      let isReplaced = known != nil
      let reader = try readers.watcher()
      known = Known(reader: reader, version: try reader.dataVersion())
      return isReplaced ? StoreChange(entities: nil, isReplacement: true) : nil
    }
    let version = try last.reader.dataVersion()
    guard version != last.version else { return nil }
    known?.version = version
    return StoreChange(entities: nil)
  }
}

/// Receives the changes of a store for one loop; changes that arrive between two steps become one.
final class ChangeSubscriber: Sendable {
  /// The entity whose objects count, including its subentities; `nil` for all.
  private let entity: String?
  private let state = Mutex(State())

  private struct State {
    var pending: StoreChange?
    var waiting: CheckedContinuation<Result<StoreChange?, DecantError>, Never>?
    /// The end of the loop: an error, or `nil` if the task was cancelled.
    var end: Result<StoreChange?, DecantError>?
  }

  init(_ entity: String?) { self.entity = entity }

  /// Keeps a change if it concerns the entity, and wakes the loop.
  func take(_ change: StoreChange, of model: Model) {
    if let entity, let changed = change.entities {
      let family = model.family(of: entity)
      guard family.contains(where: { changed.contains($0.name) }) else { return }
    }
    let waiting = state.withLock { state in
      guard let waiting = state.waiting else {
        state.pending = state.pending?.joined(change) ?? change
        return CheckedContinuation<Result<StoreChange?, DecantError>, Never>?.none
      }
      state.waiting = nil
      return waiting
    }
    waiting?.resume(returning: .success(change))
  }

  /// Returns a change that arrived while nobody was waiting for it.
  func takePending() -> StoreChange? {
    state.withLock { state in
      defer { state.pending = nil }
      return state.pending
    }
  }

  /// Ends the loop, with an error or because its task was cancelled.
  func end(_ error: DecantError? = nil) {
    let end: Result<StoreChange?, DecantError> = error.map { .failure($0) } ?? .success(nil)
    let waiting = state.withLock { state in
      state.end = state.end ?? end
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume(returning: end)
  }

  /// Returns the next change, or `nil` at the end.
  func next() async throws(DecantError) -> StoreChange? {
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let ready: Result<StoreChange?, DecantError>? = state.withLock { state in
          if let pending = state.pending {
            state.pending = nil
            return .success(pending)
          }
          if state.end == nil { state.waiting = continuation }
          return state.end
        }
        if let ready { continuation.resume(returning: ready) }
      }
    } onCancel: {
      end()
    }
    return try result.get()
  }
}
