internal import DecantContainers
package import DecantBase
internal import DecantDigests
internal import DecantSQLite

/// Values too large for a line: written in pieces before the object that needs them, each only once.
package final class BlobLines {
  /// The size of a piece, chosen so that its base64 and the other members fit into a line.
  static let pieceSize = 720 * 1024

  private let output: ArchiveOutput
  private let connection: Connection
  private let insertion: Statement
  private var buffer: [UInt8] = []
  /// Whether a value was written only in part, so that nothing can follow it.
  private(set) var isBroken = false

  /// The number of values, and their bytes.
  private(set) var count: Int64 = 0

  /// Records the written values in a temporary table of `connection`.
  init(_ output: ArchiveOutput, on connection: Connection) throws(SQLiteError) {
    self.output = output
    self.connection = connection
    try connection.run("CREATE TEMP TABLE decant_blobs (hash TEXT PRIMARY KEY) WITHOUT ROWID")
    insertion = try connection.prepare("INSERT OR IGNORE INTO temp.decant_blobs VALUES (?1)")
  }

  /// A value that can pass its bytes on from the first to the last, any number of times.
  package typealias Source = (_ take: (UnsafeRawBufferPointer) throws(DecantError) -> Void)
    throws(DecantError)
    -> Void

  /// Writes the lines of a value, unless they were written before, and the reference to it to `line`.
  ///
  /// - Parameters:
  ///   - source: The value's bytes.
  ///   - isText: Whether they are a text.
  ///   - packs: Whether each piece is deflated if that makes it much smaller.
  ///   - line: Receives the reference.
  /// - Throws: `DecantError` if a piece cannot be read, recorded or written.
  func write(_ source: Source, isText: Bool, packs: Bool = false, to line: inout LineBuffer) throws(DecantError) {
    var digest = SHA256()
    var size: Int64 = 0
    try source { piece throws(DecantError) in
      digest.update(piece)
      size += Int64(piece.count)
    }
    let hash = SHA256.text(digest.finish())
    let isNew = try explaining("cannot record a large value") { () throws(SQLiteError) in
      try insertion.run(.text(hash))
      return connection.changeCount > 0
    }
    if isNew { try writePieces(source, hash, size, packs: packs) }
    line.append(#"{"blob":""#)
    var text = hash
    text.withUTF8 { line.append(raw: UnsafeRawBufferPointer($0)) }
    line.append(#"","size":"#)
    line.append(size)
    if isText { line.append(#","as":"text""#) }
    line.append("}")
  }

  /// Returns the bytes of a file.
  package static func content(ofFile path: String) -> Source {
    { take throws(DecantError) in
      var failure: DecantError?
      do throws(SystemError) {
        try Files.forEachPiece(of: path) { piece in
          do throws(DecantError) { try take(piece) } catch { failure = error }
          return failure == nil
        }
      } catch {
        throw DecantError(error)
      }
      if let failure { throw failure }
    }
  }

  /// Returns the name that the file at `path` would have as a value, and its length.
  package static func name(ofFile path: String) throws(DecantError) -> (hash: String, byteCount: Int64) {
    var digest = SHA256()
    var size: Int64 = 0
    try content(ofFile: path)({ piece throws(DecantError) in
      digest.update(piece)
      size += Int64(piece.count)
    })
    return (SHA256.text(digest.finish()), size)
  }

  private func writePieces(_ source: Source, _ hash: String, _ size: Int64, packs: Bool) throws(DecantError) {
    count += 1
    isBroken = true
    var offset: Int64 = 0
    buffer.removeAll(keepingCapacity: true)
    try source { piece throws(DecantError) in
      var start = 0
      while start < piece.count {
        let taken = min(BlobLines.pieceSize - buffer.count, piece.count - start)
        buffer.append(contentsOf: piece[start..<start + taken])
        start += taken
        guard buffer.count == BlobLines.pieceSize else { continue }
        // Only the last piece has the length of the value.
        if offset + Int64(buffer.count) < size {
          try writePiece(hash, &offset, size: nil, packs: packs)
        }
      }
    }
    try writePiece(hash, &offset, size: size, packs: packs)
    guard offset == size else {
      throw DecantError(.fileChanged, "a large value changed while it was read")
    }
    isBroken = false
  }

  private func writePiece(_ hash: String, _ offset: inout Int64, size: Int64?, packs: Bool) throws(DecantError) {
    var line = LineBuffer()
    line.append(#"{"blob":""#)
    var text = hash
    text.withUTF8 { line.append(raw: UnsafeRawBufferPointer($0)) }
    line.append(#"","at":"#)
    line.append(offset)
    if let packed = packs ? try deflated() : nil {
      line.append(#","deflate":""#)
      packed.withUnsafeBytes { line.append(base64: $0) }
    } else {
      line.append(#","base64":""#)
      buffer.withUnsafeBytes { line.append(base64: $0) }
    }
    line.append(byte: 0x22)
    if let size {
      line.append(#","size":"#)
      line.append(size)
    }
    line.append("}")
    offset += Int64(buffer.count)
    buffer.removeAll(keepingCapacity: true)
    try output.append(&line)
  }

  /// Returns the current piece in zlib's format, if that has at most half its length.
  private func deflated() throws(DecantError) -> [UInt8]? {
    do throws(ContainerError) {
      let packed = try Deflate.deflate(buffer, format: .zlib, level: 9)
      return packed.count <= buffer.count / 2 ? packed : nil
    } catch {
      throw DecantError(.systemFailed, "cannot pack a large value: \(error)", cause: error)
    }
  }
}
