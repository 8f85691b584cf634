internal import DecantSystem

/// A few blocks of bytes that one thread fills and another takes, in turn.
///
/// Either waits for the other where all blocks are full or none is. A failure of the taker reaches the
/// filler.
///
/// `@unchecked Sendable`: everything that changes is read and written under `mutex` but the bytes of the
/// blocks. A block belongs to the filler until it is counted in `fullCount`, and to the taker from then
/// until it is not counted any more, and both changes happen under `mutex`.
final class BlockRing: @unchecked Sendable {
  /// What the taker is to do next.
  enum Turn {
    /// Take these bytes, then say `release`.
    case block(UnsafeRawBufferPointer)
    /// End the stream: there is no more.
    case finish
    /// Leave everything as it is.
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

  // MARK: The filler

  /// Waits for a block that is free, and returns it.
  func freeBlock() throws(ContainerError) -> UnsafeMutableRawBufferPointer {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while fullCount == BlockRing.blockCount && failure == nil { pthread_cond_wait(change, mutex) }
    if let failure { throw failure }
    return block((firstFull + fullCount) % BlockRing.blockCount)
  }

  /// Hands the block that is being filled over, with its first `byteCount` bytes.
  func submit(_ byteCount: Int) {
    pthread_mutex_lock(mutex)
    byteCounts[(firstFull + fullCount) % BlockRing.blockCount] = byteCount
    fullCount += 1
    pthread_cond_broadcast(change)
    pthread_mutex_unlock(mutex)
  }

  /// Says that nothing follows: the taker is to end the stream, or else to stop where it is.
  func close(finishing: Bool) {
    pthread_mutex_lock(mutex)
    if finishing { isFinished = true } else { isStopped = true }
    pthread_cond_broadcast(change)
    pthread_mutex_unlock(mutex)
  }

  /// Throws what the taker failed with, if it did.
  func check() throws(ContainerError) {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    if let failure { throw failure }
  }

  // MARK: The taker

  /// Waits for something to do, and returns it.
  func next() -> Turn {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while fullCount == 0 && !isFinished && !isStopped { pthread_cond_wait(change, mutex) }
    if isStopped { return .stop }
    guard fullCount > 0 else { return .finish }
    return .block(UnsafeRawBufferPointer(rebasing: block(firstFull)[..<byteCounts[firstFull]]))
  }

  /// Gives the block of the last `next` back to be filled.
  func release() {
    pthread_mutex_lock(mutex)
    firstFull = (firstFull + 1) % BlockRing.blockCount
    fullCount -= 1
    pthread_cond_broadcast(change)
    pthread_mutex_unlock(mutex)
  }

  /// Says that the taker takes nothing any more, and why.
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
