internal import DecantBase64
internal import DecantBase

/// Writes the parts of a mail in their order: texts, pictures, an attachment; all of them in base64.
///
/// ```
/// multipart/mixed
///   multipart/related
///     multipart/alternative
///       text/plain, text/html
///     the pictures
///   the attachment
/// ```
struct MailParts {
  private let output: PageOutput

  /// The boundaries between parts: `=_` does not occur in base64, so no line of a part can match one.
  private static let mixed = "=_decant-mixed"
  private static let related = "=_decant-related"
  private static let alternative = "=_decant-alternative"

  /// Writes to `output`.
  init(to output: PageOutput) { self.output = output }

  /// Writes the header of the mail, up to its texts.
  func begin(subject: String) throws(DecantError) {
    try output.write("X-Unsent: 1\r\nSubject: \(MailText.header(subject))\r\nMIME-Version: 1.0\r\n")
    try multipart("mixed", MailParts.mixed)
    try boundary(MailParts.mixed)
    try multipart("related; type=\"multipart/alternative\"", MailParts.related)
    try boundary(MailParts.related)
    try multipart("alternative", MailParts.alternative)
  }

  /// Writes a text that `body` writes to the given output.
  func text(_ kind: String, _ body: (PageOutput) throws(DecantError) -> Void) throws(DecantError) {
    try boundary(MailParts.alternative)
    try head("text/\(kind); charset=utf-8", [])
    let lines = MailLines(to: output)
    try body(PageOutput { piece throws(DecantError) in try lines.write(piece) })
    try lines.end()
  }

  func endTexts() throws(DecantError) { try boundary(MailParts.alternative, isLast: true) }

  /// Writes a picture, to which the text refers by `name`.
  func picture(_ type: String, _ name: String, _ fileName: String, _ bytes: ByteGiver) throws(DecantError) {
    try boundary(MailParts.related)
    let disposition = "Content-Disposition: inline; \(MailText.fileName(fileName))"
    try head(type, ["Content-ID: <\(name)>", disposition])
    try base64(bytes)
  }

  func endRelated() throws(DecantError) { try boundary(MailParts.related, isLast: true) }

  /// Writes the attachment.
  func attachment(_ name: String, _ bytes: ByteGiver) throws(DecantError) {
    try boundary(MailParts.mixed)
    let type = name.lowercased().hasSuffix(".gz") ? "application/gzip" : "application/octet-stream"
    try head(type, ["Content-Disposition: attachment; \(MailText.fileName(name))"])
    try base64(bytes)
  }

  func end() throws(DecantError) {
    try boundary(MailParts.mixed, isLast: true)
    try output.flush()
  }

  private func multipart(_ type: String, _ boundary: String) throws(DecantError) {
    try output.write("Content-Type: multipart/\(type);\r\n boundary=\"\(boundary)\"\r\n\r\n")
  }

  private func boundary(_ boundary: String, isLast: Bool = false) throws(DecantError) {
    try output.write("--\(boundary)\(isLast ? "--" : "")\r\n")
  }

  private func head(_ type: String, _ others: [String]) throws(DecantError) {
    let lines = ["Content-Type: \(type)", "Content-Transfer-Encoding: base64"] + others
    // A header is continued on the next line after the semicolon before its parameter.
    let folded = lines.map { $0.replacing("; filename", with: ";\r\n filename") }
    try output.write(folded.joined(separator: "\r\n") + "\r\n\r\n")
  }

  private func base64(_ bytes: ByteGiver) throws(DecantError) {
    var encoder = Base64Encoder(isWrapped: true)
    try bytes { piece throws(DecantError) in try encoder.encode(piece, output.write) }
    try encoder.finish(output.write)
  }
}

/// Writes text in base64, with lines that end in CR LF, as required in mail.
private final class MailLines {
  private let output: PageOutput
  private var encoder = Base64Encoder(isWrapped: true)

  init(to output: PageOutput) { self.output = output }

  func write(_ piece: UnsafeRawBufferPointer) throws(DecantError) {
    var lines: [UInt8] = []
    lines.reserveCapacity(piece.count + piece.count / 16)
    for byte in piece {
      if byte == 0x0a { lines.append(0x0d) }
      lines.append(byte)
    }
    var encoder = encoder
    try lines.lend { lines throws(DecantError) in try encoder.encode(lines, output.write) }
    self.encoder = encoder
  }

  func end() throws(DecantError) { try encoder.finish(output.write) }
}
