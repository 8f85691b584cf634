internal import DecantBase
internal import DecantPlan

/// The bytes of a value, wherever they are, with their format; they are read piece by piece.
struct PageBytes {
  /// The place of the bytes.
  enum Place {
    /// In the store, in a column of an object.
    case stored(PageReference, column: Int)
    case file(String)
    case memory([UInt8])
    /// In a file that does not exist.
    case lost
    /// In a large value of a row without a key, which cannot be found again.
    case outOfReach
  }

  let place: Place
  /// The number of bytes before them at that place.
  var start = 0
  let count: Int
  /// The format of the picture, if they are one.
  let format: ImageFormat?

  /// Whether browsers and mail programs can show it.
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

  /// The size up to which values of rows without a key are read with the row.
  static let heldLimit = 1 << 20
}

extension PageBytes {
  /// Makes bytes that are in memory.
  init(memory content: [UInt8]) {
    self.init(place: .memory(content), count: content.count, format: ImageFormat(head: content))
  }
}

extension PageBytes {
  /// Returns the part of `piece`, which is `offset` bytes after the beginning of the place, that belongs to the bytes.
  func part(of piece: UnsafeRawBufferPointer, at offset: Int) -> UnsafeRawBufferPointer? {
    let first = max(0, start - offset)
    let end = min(piece.count, start + count - offset)
    guard first < end else { return nil }
    return UnsafeRawBufferPointer(rebasing: piece[first..<end])
  }
}

extension [UInt8] {
  /// Passes all of them to `body`.
  func lend(_ body: (UnsafeRawBufferPointer) throws(DecantError) -> Void) throws(DecantError) {
    var failure: DecantError?
    withUnsafeBytes { bytes in
      do throws(DecantError) { try body(bytes) } catch { failure = error }
    }
    if let failure { throw failure }
  }
}

extension Files {
  /// Passes the content of the file at `path` to `body`, in pieces of at most 1 MiB.
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
