internal import DecantBase

/// A string that is moved to the spool once it is too long for memory.
struct LongString {
  let spool: TextSpool
  private var isLong = false
  /// Whether there were control characters, which are removed.
  private(set) var hadControls = false
  private var mender = LenientUTF8()
  private var mended: [UInt8] = []

  init(spool: TextSpool) { self.spool = spool }

  /// Moves `bytes` into the spool.
  mutating func spill(_ bytes: inout [UInt8]) throws {
    try bytes.withUnsafeBytes { try spill($0) }
    bytes.removeAll(keepingCapacity: true)
  }

  /// Writes `bytes` into the spool, as UTF-8.
  mutating func spill(_ bytes: UnsafeRawBufferPointer) throws {
    if !isLong { spool.begin() }
    isLong = true
    if ControlBytes.areIn(bytes) {
      hadControls = true
      var cleaned = Array(bytes)
      ControlBytes.remove(from: &cleaned)
      return try spill(&cleaned)
    }
    if mender.isEmpty, LenientUTF8.isASCII(bytes) { return try spool.append(bytes) }
    mended.removeAll(keepingCapacity: true)
    mender.mend(bytes, into: &mended)
    try mended.withUnsafeBytes { try spool.append($0) }
  }

  /// Ends the string; `bytes` are its last bytes, or all of them.
  mutating func finish(_ bytes: inout [UInt8]) throws -> DocumentText {
    guard isLong else {
      if bytes.withUnsafeBytes(ControlBytes.areIn) {
        hadControls = true
        ControlBytes.remove(from: &bytes)
      }
      return .short(LenientUTF8.string(bytes))
    }
    try spill(&bytes)
    mended.removeAll(keepingCapacity: true)
    mender.finish(into: &mended)
    try mended.withUnsafeBytes { try spool.append($0) }
    return .long(spool.finish())
  }
}
