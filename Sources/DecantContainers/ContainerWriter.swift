/// Packs one stream of bytes and writes it to a file descriptor.
///
/// Packing runs on a separate thread, behind four blocks of 1 MiB, so that producing and packing the bytes overlap. The
/// same bytes always give the same stream, however they are split into writes: no header contains a time. No stream
/// unpacks to more than 500 times its size, so that its readers do not take it for a decompression bomb.
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
  ///   - descriptor: A file, a pipe or another writable descriptor; not closed here, and it must stay open as long as
  ///     this object exists.
  ///   - compression: The compression.
  ///   - level: The level, within `compression.levels`; the default is chosen for speed.
  /// - Throws: `ContainerError.invalidLevel` for an invalid level.
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
    thread = try EncodingThread(ring, encoder, output)
  }

  /// Stops the thread; the stream stays incomplete unless `finish` was called.
  deinit {
    output.cancel()
    ring.close(finishing: false)
    thread.join()
  }

  /// Adds bytes to the stream.
  ///
  /// - Parameter bytes: The bytes; they are copied, so that the memory can be reused.
  /// - Throws: `ContainerError.system` with the `errno` if earlier bytes could not be written, such as `ENOSPC` and
  ///   `EPIPE`; from then on every call throws it.
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

  /// Packs and writes the remaining bytes, ends the stream, and waits for completion.
  ///
  /// It does not synchronize the file to disk; that is up to the caller.
  ///
  /// - Throws: The errors of `write`. Call it once.
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
