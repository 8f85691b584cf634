internal import DecantBase
internal import DecantPlan

/// The bytes of a value, wherever they lie, told what they are and lent piece by piece.
struct PageBytes {
  /// Where the bytes lie.
  enum Place {
    /// In the store, in a column of an object.
    case stored(PageReference, column: Int)
    case file(String)
    case memory([UInt8])
    /// In a file that is not there.
    case lost
    /// Where nothing leads again: in a large value of a row without a key.
    case outOfReach
  }

  let place: Place
  /// How many bytes stand in front of them there.
  var start = 0
  let count: Int
  /// The picture that they are, if they are one.
  let format: ImageFormat?

  /// Whether browsers and mail programs show it.
  var isShown: Bool {
    switch format {
    case .png, .jpeg, .gif, .webp: isReachable
    case .heic, .avif, .tiff, .bmp, nil: false
    }
  }

  var isLost: Bool { if case .lost = place { true } else { false } }

  /// Whether the bytes can be read.
  var isReachable: Bool {
    switch place {
    case .stored, .file, .memory: true
    case .lost, .outOfReach: false
    }
  }

  /// Larger values of rows without a key are not read with the row.
  static let heldLimit = 1 << 20
}

extension PageBytes {
  /// Bytes that are at hand.
  init(memory content: [UInt8]) {
    self.init(place: .memory(content), count: content.count, format: ImageFormat(head: content))
  }
}

extension PageBytes {
  /// What of `piece`, which lies `offset` bytes behind the place's beginning, belongs to the bytes.
  func part(of piece: UnsafeRawBufferPointer, at offset: Int) -> UnsafeRawBufferPointer? {
    let first = max(0, start - offset)
    let end = min(piece.count, start + count - offset)
    guard first < end else { return nil }
    return UnsafeRawBufferPointer(rebasing: piece[first..<end])
  }
}

extension [UInt8] {
  /// Lends all of them to `body`.
  func lend(_ body: (UnsafeRawBufferPointer) throws(DecantError) -> Void) throws(DecantError) {
    var failure: DecantError?
    withUnsafeBytes { bytes in
      do throws(DecantError) { try body(bytes) } catch { failure = error }
    }
    if let failure { throw failure }
  }
}

extension Files {
  /// Lends the content of the file at `path` to `body`, a piece of at most 1 MiB at a time.
  static func lend(_ path: String, _ body: (UnsafeRawBufferPointer) throws(DecantError) -> Void) throws(DecantError) {
    var failure: DecantError?
    do throws(SystemError) {
      try Files.forEachPiece(of: path) { piece in
        do throws(DecantError) { try body(piece) } catch { failure = error }
        return failure == nil
      }
    } catch {
      throw DecantError(.systemFailed, "cannot read “\(path)”: \(error)", cause: error)
    }
    if let failure { throw failure }
  }
}
