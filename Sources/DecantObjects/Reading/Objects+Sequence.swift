public import DecantBase
internal import DecantSQLite
internal import Synchronization

/// Objects as an asynchronous sequence, read ahead in batches on a thread of the store.
///
/// The whole iteration sees one state of the store. In a store without a write-ahead log nobody can commit until the
/// iteration ends: use pages or an array if the loop takes long.
extension Objects: AsyncSequence {
  public typealias Element = Object
  public typealias Failure = DecantError

  public func makeAsyncIterator() -> Iterator { Iterator(ObjectBatches(self)) }

  /// The iterator over the objects.
  public struct Iterator: AsyncIteratorProtocol {
    private let batches: ObjectBatches<Object>
    private var batch: [Object] = []
    private var index = 0

    init(_ batches: ObjectBatches<Object>) { self.batches = batches }

    /// Returns the next object, or `nil` after the last.
    ///
    /// - Throws: `DecantError`, of the family `.interrupted` if this task was cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(DecantError) -> Object? {
      if index == batch.count {
        try ReadStop.check()
        batch = try await batches.next()
        index = 0
      }
      guard index < batch.count else { return nil }
      defer { index += 1 }
      return batch[index]
    }

    /// Returns the next object, or `nil` after the last.
    public mutating func next() async throws(DecantError) -> Object? { try await next(isolation: nil) }
  }
}

/// The open statement of an iteration, on a connection of its own until the iteration ends.
final class ObjectBatches<Object: StoredObject>: Sendable {
  private let objects: Objects<Object>
  private let state = Mutex(State.waiting)
  /// The number of objects in a batch: small at first, for callers that need only a few.
  private static var sizes: (first: Int, limit: Int) { (16, 1_024) }

  private enum State {
    case waiting
    case open(OpenReading<Object>)
    case ended
  }

  init(_ objects: Objects<Object>) { self.objects = objects }

  deinit { state.withLock { end(&$0) } }

  /// Reads the next batch, which is empty after the last object.
  func next() async throws(DecantError) -> [Object] {
    try await objects.store.readers.onThread { () throws(DecantError) in try self.read() }
  }

  private func read() throws(DecantError) -> [Object] {
    try state.withLock { state throws(DecantError) in
      do throws(DecantError) {
        if case .waiting = state { state = .open(try OpenReading(objects)) }
        guard case .open(let reading) = state else { return [] }
        let batch = try reading.next(Self.sizes.limit, first: Self.sizes.first)
        if batch.isEmpty { end(&state) }
        return batch
      } catch {
        end(&state)
        throw error
      }
    }
  }

  private func end(_ state: inout State) {
    if case .open(let reading) = state { reading.end() }
    state = .ended
  }
}

/// A read that stays open between two batches.
///
/// `@unchecked Sendable`: only its `ObjectBatches` refers to it, and calls it only while holding its lock.
final class OpenReading<Object: StoredObject>: @unchecked Sendable {
  private let readers: StoreReaders
  private let reading: ObjectReading<Object>
  private let statement: Statement
  private var size = 0
  /// Whether the last object was read; another step would make SQLite start again.
  private var isAtEnd = false

  init(_ objects: Objects<Object>) throws(DecantError) {
    guard objects.origin.block == nil else { throw BlockReader.isOver }
    readers = objects.store.readers
    let reader = try readers.take()
    do throws(DecantError) {
      try reader.begin()
      reading = try ObjectReading(objects.request, reader)
      statement = try reading.open()
    } catch {
      reader.end()
      readers.giveBack(reader)
      throw error
    }
  }

  func next(_ limit: Int, first: Int) throws(DecantError) -> [Object] {
    size = size == 0 ? first : min(size * 4, limit)
    var batch: [Object] = []
    batch.reserveCapacity(size)
    while !isAtEnd, batch.count < size {
      if let object = try reading.next(statement) { batch.append(object) } else { isAtEnd = true }
    }
    return batch
  }

  func end() {
    statement.reset()
    reading.reader.end()
    readers.giveBack(reading.reader)
  }
}
