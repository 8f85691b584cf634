internal import DecantRecipeFormats
internal import DecantBase64
internal import DecantBase
internal import DecantPlan

// Pictures and other bytes.
extension HTMLWriter {
  /// The maximum size, in bytes, of a value in a page that may be opened on a phone; the archive contains larger ones.
  private static let byteLimit = 48 << 20

  func bytes(_ bytes: PageBytes, _ caption: PageCaption) throws(DecantError) {
    guard !bytes.isLost else {
      return try output.write(
        "<p class=\"aside\"\(id(of: caption.object))>"
          + "\(HTMLText.escaped(caption.label)): its file is lost</p>\n"
      )
    }
    guard bytes.isShown, bytes.count <= HTMLWriter.byteLimit else {
      return try offer(bytes, caption)
    }
    let kind = caption.isLead ? " class=\"lead\"" : ""
    if let attachments {
      guard let name = try attachments.name(of: bytes, caption) else {
        return try offer(bytes, caption)
      }
      try output.write("<figure\(kind)\(id(of: caption.object))><img src=\"cid:\(name)\" ")
    } else {
      let type = bytes.format?.mediaType ?? ""
      try output.write("<figure\(kind)\(id(of: caption.object))><img src=\"data:\(type);base64,")
      try store.writeBase64(bytes, to: output)
      try output.write("\" ")
    }
    try output.write("alt=\"\(HTMLText.attribute(caption.description))\">")
    if let text = caption.text {
      try output.write("<figcaption dir=\"auto\">\(HTMLText.escaped(text))</figcaption>")
    }
    try output.write("</figure>\n")
  }

  /// Offers bytes that browsers do not show, as a file.
  private func offer(_ bytes: PageBytes, _ caption: PageCaption) throws(DecantError) {
    let kind = bytes.format?.name ?? "data"
    let size = PageNumber.size(bytes.count)
    let label = HTMLText.escaped(caption.text ?? caption.description)
    try output.write("<p class=\"file\"\(id(of: caption.object)) dir=\"auto\">")
    if attachments != nil || !bytes.isReachable || bytes.count > HTMLWriter.byteLimit {
      try output.write("<bdi>\(label)</bdi> (\(kind), \(size)) is only in the attached data")
    } else {
      let type = bytes.format?.mediaType ?? "application/octet-stream"
      let name = caption.fileName + "." + (bytes.format?.rawValue ?? "bin")
      try output.write("<a download=\"\(HTMLText.attribute(name))\" href=\"data:\(type);base64,")
      try store.writeBase64(bytes, to: output)
      try output.write("\"><bdi>\(label)</bdi></a> (\(kind), \(size))")
    }
    try output.write("</p>\n")
  }
}

extension PageStore {
  /// Writes `bytes` in base64.
  func writeBase64(_ bytes: PageBytes, to output: PageOutput) throws(DecantError) {
    var encoder = Base64Encoder()
    try forEachPiece(of: bytes) { piece throws(DecantError) in
      try encoder.encode(piece, output.write)
    }
    try encoder.finish(output.write)
  }
}
