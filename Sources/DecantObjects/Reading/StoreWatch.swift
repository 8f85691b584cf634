internal import DecantBase
internal import Dispatch
internal import Synchronization

/// Notices changes of a store, and hands them to those that wait for them.
///
/// Own writes are told to it; those of other connections are found by a number of SQLite's that it asks for now and then,
/// as long as somebody waits.
final class StoreWatch: Sendable {
  private let readers: StoreReaders
  private let state = Mutex(State())
  private let known = Mutex<Known?>(nil)
  private let queue = DispatchQueue(label: "decant.watch")
  /// How often it asks, in milliseconds.
  private static let interval = 250

  private struct State {
    var subscribers: [Int: ChangeSubscriber] = [:]
    var nextNumber = 0
    var isAsking = false
  }

  /// The state of the store that the subscribers know.
  private struct Known {
    let reader: StoreReader
    var version: Int64?
    /// Whether an own transaction is open in which nobody else could write.
    var isHeld = false
  }

  init(_ readers: StoreReaders) { self.readers = readers }

  /// Hands changes to `subscriber` from now on, until `end` is called with the number that is returned.
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

  /// Notes, in the open transaction of an own write, what others wrote before.
  func noteWriting() {
    guard isWaitedFor else { return }
    ask()
    known.withLock { known in known?.isHeld = true }
  }

  /// Tells of an own write, which was committed.
  func note(_ entities: Set<String>?) {
    guard isWaitedFor else { return }
    known.withLock { known in
      // Between `noteWriting` and now nobody else wrote: what is new is the own write.
      guard let held = known, held.isHeld else { return }
      known?.isHeld = false
      if let version = try? held.reader.dataVersion() { known?.version = version }
    }
    tell(StoreChange(entities: entities))
  }

  /// Has the store closed while somebody locks all of it; what changes meanwhile is told as any change.
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

  /// Looks whether the store changed, and tells it; then does `next`, before anybody looks again.
  private func ask(then next: () -> Void = {}) {
    do throws(DecantError) {
      try known.withLock { known throws(DecantError) in
        defer { next() }
        if let change = try Self.look(&known, readers) { tell(change) }
      }
    } catch {
      // Locked, or without a file just now: the next time will do.
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

/// Where the changes of a store arrive that one loop waits for: those that come while nobody looks become one.
final class ChangeSubscriber: Sendable {
  /// The entity whose objects count, with those below it; `nil` for all.
  private let entity: String?
  private let state = Mutex(State())

  private struct State {
    var pending: StoreChange?
    var waiting: CheckedContinuation<Result<StoreChange?, DecantError>, Never>?
    /// What ended it, `nil` as an error for the end of the task.
    var end: Result<StoreChange?, DecantError>?
  }

  init(_ entity: String?) { self.entity = entity }

  /// Keeps a change, if it concerns the entity, and wakes the loop.
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

  /// A change that came while nobody waited for it.
  func takePending() -> StoreChange? {
    state.withLock { state in
      defer { state.pending = nil }
      return state.pending
    }
  }

  /// Ends the loop: with an error, or because its task was cancelled.
  func end(_ error: DecantError? = nil) {
    let end: Result<StoreChange?, DecantError> = error.map { .failure($0) } ?? .success(nil)
    let waiting = state.withLock { state in
      state.end = state.end ?? end
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume(returning: end)
  }

  /// The next change; `nil` at the end.
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
