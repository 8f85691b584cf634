/// One stream of bytes, packed on its way into a file descriptor.
///
/// Packing happens on a thread of its own, behind four blocks of 1 MiB, so that whoever makes the bytes
/// and what packs them run at once. The same bytes written in whatever pieces give the same stream: no
/// header holds a time.
package final class ContainerWriter {
  private let output: OutputDescriptor
  private let ring = BlockRing()
  private let thread: EncodingThread
  private var block: UnsafeMutableRawBufferPointer?
  private var filled = 0
  private var isFinished = false

  /// Begins a stream.
  ///
  /// - Parameters:
  ///   - descriptor: Where it goes: a file, a pipe or whatever else can be written; never closed here, and
  ///     to be left open until this object is gone.
  ///   - compression: How it is packed.
  ///   - level: How much effort goes into that, within `compression.levels`; its default for speed where
  ///     there is none.
  /// - Throws: `ContainerError.invalidLevel` for a level that is not one.
  package init(descriptor: Int32, _ compression: Compression, level: Int? = nil) throws(ContainerError) {
    let level = try compression.checked(level)
    output = OutputDescriptor(descriptor)
    let encoder: any StreamEncoder
    switch compression {
    case .none: encoder = PlainEncoder(output)
    case .gzip: encoder = try GzipEncoder(output, level: level)
    case .zstd: encoder = try ZstdEncoder(output, level: level)
    case .xz: encoder = try XZEncoder(output, level: level)
    case .lz4: encoder = try LZ4Encoder(output, level: level)
    case .zip(let member): encoder = try ZipEncoder(output, member: member, level: level)
    }
    thread = try EncodingThread(ring, encoder)
  }

  /// Ends the thread where it stands; the stream stays incomplete unless `finish` was called.
  deinit {
    output.cancel()
    ring.close(finishing: false)
    thread.join()
  }

  /// Adds bytes to the stream.
  ///
  /// - Parameter bytes: What to add; copied, so that the memory is free again.
  /// - Throws: `ContainerError.system` with the `errno` where some earlier bytes could not be written,
  ///   such as `ENOSPC` and `EPIPE`; from then on every call throws it.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(ContainerError) {
    precondition(!isFinished, "a stream that is finished takes no more bytes")
    try ring.check()
    var rest = bytes
    while !rest.isEmpty {
      let block = if let block { block } else { try ring.freeBlock() }
      self.block = block
      let count = min(rest.count, block.count - filled)
      UnsafeMutableRawBufferPointer(rebasing: block[filled..<(filled + count)])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: rest[..<count]))
      filled += count
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      if filled == block.count { submit() }
    }
  }

  /// Packs and writes what is left, ends the stream, and waits for that.
  ///
  /// Whether the bytes are on the disk is for the caller to see to: nothing is synchronised.
  ///
  /// - Throws: What `write` throws. It is to be called once.
  package func finish() throws(ContainerError) {
    precondition(!isFinished, "a stream can be finished once")
    isFinished = true
    if filled > 0 { submit() }
    ring.close(finishing: true)
    thread.join()
    try ring.check()
  }

  private func submit() {
    ring.submit(filled)
    block = nil
    filled = 0
  }
}
