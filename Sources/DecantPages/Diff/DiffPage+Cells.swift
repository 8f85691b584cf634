internal import DecantBase
internal import DecantProof

// Values side by side.
extension DiffPage {
  /// The maximum size, in bytes, of a picture that is shown; larger ones are only named.
  static let pictureLimit = 4_000_000
  /// The maximum total size, in bytes, of all pictures of a page.
  static let picturesLimit = 200_000_000

  /// Writes a table of rows; nothing if there are none.
  func write(_ rows: [Row]) throws(DecantError) {
    guard !rows.isEmpty else { return }
    try output.write(
      """
      <table class="sides">
      <colgroup><col class="name"><col><col></colgroup>
      <thead><tr><th scope="col">\(report.a.terms.attribute)</th><th scope="col">A</th><th scope="col">B</th></tr></thead>
      <tbody>

      """
    )
    for row in rows { try write(row) }
    try output.write("</tbody>\n</table>\n")
  }

  private func write(_ row: Row) throws(DecantError) {
    try output.write("<tr><th scope=\"row\"><bdi>\(HTMLText.visible(row.name))</bdi></th>")
    var texts: (a: [TextPiece], b: [TextPiece])?
    if case .text(let a)? = row.a, case .text(let b)? = row.b { texts = TextPiece.pieces(of: a, b) }
    try write(row.a, beside: row.b, texts?.a, side: "a")
    try write(row.b, beside: row.a, texts?.b, side: "b")
    try output.write("</tr>\n")
  }

  private func write(_ cell: DiffCell?, beside other: DiffCell?, _ pieces: [TextPiece]?, side: String)
    throws(DecantError)
  {
    guard let cell else { return try output.write("<td class=\"none\"></td>") }
    try output.write("<td class=\"\(side)\" dir=\"auto\">")
    switch cell {
    case .nothing: try output.write("<i>nothing</i>")
    case .plain(let text): try output.write(HTMLText.visible(text))
    case .link: try output.write(cell.title)
    case .text(let text):
      if text.isEmpty { try output.write("<i>empty text</i>") }
      let pieces = pieces ?? [TextPiece(text: text[...], isMarked: false)]
      try output.write(TextPiece.html(pieces, tag: side == "a" ? "del" : "ins"))
      if text.utf8.count >= PageObject.textLimit - 4 { try output.write(" <i>the text continues</i>") }
    case .bytes(let bytes, let store): try write(bytes, of: store)
    }
    if let other, let kind = cell.kind(beside: other) { try output.write(" <i>(\(kind))</i>") }
    try output.write("</td>")
  }

  private func write(_ bytes: PageBytes, of store: PageStore) throws(DecantError) {
    guard !bytes.isLost else { return try output.write("<i>its file is lost</i>") }
    let size = bytes.count < 1_000_000 ? Int64(bytes.count).groupedCount("byte") : PageNumber.size(bytes.count)
    let label = "\(bytes.format?.name ?? "data"), \(size)"
    guard bytes.isShown, let format = bytes.format else {
      try output.write(HTMLText.visible(label))
      guard bytes.isReachable, bytes.count <= 32 else { return }
      let digits = try store.content(of: bytes).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
      return try output.write(": <code>\(digits.joined())</code>")
    }
    guard bytes.count <= DiffPage.pictureLimit, pictureByteCount + bytes.count <= DiffPage.picturesLimit else {
      leftOutPictureCount += 1
      return try output.write("\(label), <i>too large for this page</i>")
    }
    pictureByteCount += bytes.count
    try output.write("<figure><img loading=\"lazy\" alt=\"\(label)\" src=\"data:\(format.mediaType);base64,")
    try store.writeBase64(bytes, to: output)
    try output.write("\"><figcaption>\(label)</figcaption></figure>")
  }
}

extension DiffCell {
  /// Returns a comment on a value that looks like the other one although it differs; `nil` if it looks different.
  fileprivate func kind(beside other: DiffCell) -> String? {
    switch (self, other) {
    case (.text(let text), .plain(let number)) where text == number: "text"
    case (.plain(let number), .text(let text)) where text == number: "number"
    case (.link(let one, let key), .link(let other, let otherKey)) where one == other && key == otherKey:
      "not the same object"
    case (.plain(let one), .plain(let other)) where one == other: "stored in another form"
    case (.bytes(let one, _), .bytes(let other, _)) where one.count == other.count && one.count > 32 && !one.isShown:
      "as many bytes, not the same"
    default: nil
    }
  }
}
