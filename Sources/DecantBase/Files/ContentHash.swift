internal import CDecantXXHash

/// A hash of content that is read in pieces: XXH3 with 128 bits, by which equal content is recognised.
///
/// It protects against chance, not against someone who wants two contents to have one hash.
package final class ContentHash {
  private let state: OpaquePointer

  /// Creates a hash of no bytes; `nil` without memory.
  package init?() {
    guard let state = XXH3_createState() else { return nil }
    self.state = state
    XXH3_128bits_reset(state)
  }

  deinit { XXH3_freeState(state) }

  /// Adds the next piece.
  package func update(_ piece: UnsafeRawBufferPointer) {
    XXH3_128bits_update(state, piece.baseAddress, piece.count)
  }

  /// Adds a text, as UTF-8.
  package func update(_ text: String) {
    var text = text
    text.withUTF8 { update(UnsafeRawBufferPointer($0)) }
  }

  /// The hash of all pieces so far, as two hexadecimal numbers.
  package var text: String {
    let hash = XXH3_128bits_digest(state)
    return String(hash.high64, radix: 16) + "-" + String(hash.low64, radix: 16)
  }
}
