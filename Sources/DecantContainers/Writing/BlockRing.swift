internal import DecantSystem

/// A ring of blocks that one thread fills and another consumes.
///
/// Each waits for the other when all blocks are full or empty. An error of the consumer is passed to the producer.
///
/// `@unchecked Sendable`: all state that changes is read and written under `mutex`, except the bytes of the blocks. A
/// block belongs to the producer until it is counted in `fullCount`, and then to the consumer until it is no longer
/// counted; both changes happen under `mutex`.
final class BlockRing: @unchecked Sendable {
  /// The consumer's next step.
  enum Turn {
    /// Process these bytes, then call `release`.
    case block(UnsafeRawBufferPointer)
    /// End the stream: no more bytes follow.
    case finish
    /// Stop immediately.
    case stop
  }

  static let blockSize = 1 << 20
  private static let blockCount = 4

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: blockSize * blockCount, alignment: 4096)
  private var byteCounts = [Int](repeating: 0, count: blockCount)
  private var firstFull = 0
  private var fullCount = 0
  private var isFinished = false
  private var isStopped = false
  private var failure: ContainerError?

  init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(change, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    pthread_cond_destroy(change)
    mutex.deallocate()
    change.deallocate()
    memory.deallocate()
  }

  // MARK: Producer

  /// Waits for a free block, and returns it.
  func freeBlock() throws(ContainerError) -> UnsafeMutableRawBufferPointer {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while fullCount == BlockRing.blockCount && failure == nil { pthread_cond_wait(change, mutex) }
    if let failure { throw failure }
    return block((firstFull + fullCount) % BlockRing.blockCount)
  }

  /// Passes the current block to the consumer, with its first `byteCount` bytes.
  func submit(_ byteCount: Int) {
    pthread_mutex_lock(mutex)
    byteCounts[(firstFull + fullCount) % BlockRing.blockCount] = byteCount
    fullCount += 1
    pthread_cond_broadcast(change)
    pthread_mutex_unlock(mutex)
  }

  /// Ends the input: the consumer ends the stream if `finishing`, or else stops immediately.
  func close(finishing: Bool) {
    pthread_mutex_lock(mutex)
    if finishing { isFinished = true } else { isStopped = true }
    pthread_cond_broadcast(change)
    pthread_mutex_unlock(mutex)
  }

  /// Throws the error of the consumer, if there is one.
  func check() throws(ContainerError) {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    if let failure { throw failure }
  }

  // MARK: Consumer

  /// Waits for the next step, and returns it.
  func next() -> Turn {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while fullCount == 0 && !isFinished && !isStopped { pthread_cond_wait(change, mutex) }
    if isStopped { return .stop }
    guard fullCount > 0 else { return .finish }
    return .block(UnsafeRawBufferPointer(rebasing: block(firstFull)[..<byteCounts[firstFull]]))
  }

  /// Returns the block of the last `next` to the producer.
  func release() {
    pthread_mutex_lock(mutex)
    firstFull = (firstFull + 1) % BlockRing.blockCount
    fullCount -= 1
    pthread_cond_broadcast(change)
    pthread_mutex_unlock(mutex)
  }

  /// Records the error with which the consumer stopped.
  func fail(_ error: ContainerError) {
    pthread_mutex_lock(mutex)
    failure = error
    pthread_cond_broadcast(change)
    pthread_mutex_unlock(mutex)
  }

  private func block(_ index: Int) -> UnsafeMutableRawBufferPointer {
    let start = index * BlockRing.blockSize
    return UnsafeMutableRawBufferPointer(rebasing: memory[start..<(start + BlockRing.blockSize)])
  }
}
