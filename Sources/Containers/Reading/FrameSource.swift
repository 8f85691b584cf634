/// What frames of zstd or lz4 in a row unpack to; the input ends with the last of them.
final class FrameSource<Decoder: FrameDecoder>: ByteSource {
  private let input: BufferedInput
  private let decoder: Decoder
  private var isBetweenFrames = false

  /// Begins at the first byte of a frame.
  init(_ input: BufferedInput, _ decoder: Decoder) {
    self.input = input
    self.decoder = decoder
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ContainerError) -> Int {
    while true {
      let isThere = try input.has(1)
      if !isThere && isBetweenFrames { return 0 }
      let step = try decoder.step(input.window, into: buffer, at: input.position)
      input.skip(step.readCount)
      isBetweenFrames = step.isAtEndOfFrame
      if step.count > 0 { return step.count }
      // What was unpacked is handed out to the last byte before more input is needed.
      guard isThere || isBetweenFrames else {
        throw .truncated(Decoder.what, at: input.position)
      }
      guard !isThere || step.readCount > 0 || isBetweenFrames else {
        throw .damaged("\(Decoder.what) leads nowhere", at: input.position)
      }
    }
  }
}

/// A library that unpacks frames.
protocol FrameDecoder: AnyObject {
  /// What it unpacks, for errors.
  static var what: String { get }

  /// Unpacks once.
  ///
  /// - Parameters:
  ///   - window: Packed bytes; none at the end of the input, where what is left is still handed out.
  ///   - buffer: Where plain ones go.
  ///   - position: Where the window begins, for errors.
  /// - Returns: How many packed bytes were used, how many came out, and whether a frame ended with
  ///   them: its checksum was right then.
  /// - Throws: `ContainerError.damaged` and others of the kind.
  func step(
    _ window: UnsafeRawBufferPointer,
    into buffer: UnsafeMutableRawBufferPointer,
    at position: Int
  ) throws(ContainerError) -> (readCount: Int, count: Int, isAtEndOfFrame: Bool)
}
