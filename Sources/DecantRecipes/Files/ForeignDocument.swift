internal import DecantBase

/// A document that people keep recipes in and that decant does not read, told by its first bytes.
///
/// Several of them are zips or lists of properties, so that they are told before anything is unpacked.
enum ForeignDocument: String, Sendable, Hashable {
  case pdf = "a PDF document"
  case word = "a Word document"
  case spreadsheet = "an Excel workbook"
  case presentation = "a PowerPoint presentation"
  case office = "a document of Word, Excel or PowerPoint"
  case openDocument = "an OpenDocument file, as LibreOffice writes it"
  case pages = "a document of Pages, Numbers or Keynote"
  case richText = "a document in rich text (RTF)"
  case book = "an e-book"
  case picture = "a picture"
  case film = "a video"

  /// How many first bytes tell each of them.
  static let headByteCount = 1 << 12

  /// Looks at the first bytes of a document, `headByteCount` of them unless there are less; `nil` for any other one.
  init?(head: some Collection<UInt8>) {
    let head = Array(head.prefix(ForeignDocument.headByteCount))
    if ImageFormat(head: head) != nil {
      self = .picture
    } else if let mark = ForeignDocument.marks.first(where: { head.dropFirst($0.place).starts(with: $0.bytes) }) {
      self = mark.document
    } else if let document = ForeignDocument.packed(head) {
      self = document
    } else {
      return nil
    }
  }

  /// Looks at the file at `path`: at its first bytes, and where these are of a zip with a preview, at the last ones, in
  /// which the names of its members stand.
  init?(at path: String) {
    let head = Files.start(of: path, count: ForeignDocument.headByteCount)
    if let document = ForeignDocument(head: head) {
      self = document
    } else if ForeignDocument.firstMember(head) == "preview.jpg",
      ForeignDocument.text(Files.end(of: path, count: 1 << 16)).contains(".iwa")
    {
      self = .pages
    } else {
      return nil
    }
  }

  /// What documents have at a place among their first bytes.
  private static let marks: [(document: ForeignDocument, place: Int, bytes: [UInt8])] = [
    (.pdf, 0, Array("%PDF-".utf8)), (.richText, 0, Array("{\\rtf".utf8)), (.film, 4, Array("ftyp".utf8)),
    (.book, 60, Array("BOOKMOBI".utf8)), (.office, 0, [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]),
  ]

  /// The folders in which the parts of documents of Office lie.
  private static let parts: [(folder: String, document: ForeignDocument)] = [
    ("word/", .word), ("xl/", .spreadsheet), ("ppt/", .presentation),
  ]

  /// What else may be the first member of documents of Office, and of those of Pages, Numbers and Keynote.
  private static let membersOfOffice = ["[Content_Types].xml", "_rels/.rels", "docProps/app.xml", "docProps/core.xml"]
  private static let membersOfPages = [
    "Index.zip", "Metadata/Properties.plist", "Metadata/DocumentIdentifier", "Metadata/BuildVersionHistory.plist",
    "preview-micro.jpg", "preview-web.jpg",
  ]

  /// One of the lengths of a name and of what stands between it and the content, which end a zip's header of 30 bytes.
  private static func length(_ head: [UInt8], at place: Int) -> Int { Int(head[place]) + Int(head[place + 1]) << 8 }

  /// The name of the first member of a zip.
  private static func firstMember(_ head: [UInt8]) -> String? {
    guard head.starts(with: [0x50, 0x4B, 3, 4]), head.count > 30 else { return nil }
    return text(head.dropFirst(30).prefix(length(head, at: 26)))
  }

  /// What a zip is whose first member says it.
  private static func packed(_ head: [UInt8]) -> ForeignDocument? {
    guard let name = firstMember(head) else { return nil }
    if name == "mimetype" {
      let content = head.dropFirst(30 + length(head, at: 26) + length(head, at: 28))
      if content.starts(with: "application/epub".utf8) { return .book }
      return content.starts(with: "application/vnd.oasis.opendocument".utf8) ? .openDocument : nil
    }
    if name.hasSuffix(".iwa") || membersOfPages.contains(name) { return .pages }
    let part = parts.first { name.hasPrefix($0.folder) && name.hasSuffix(".xml") }
    guard part == nil, membersOfOffice.contains(name) else { return part?.document }
    let text = text(head)
    return parts.first { text.contains($0.folder) }?.document ?? .office
  }

  private static func text(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

  /// What to do with it instead.
  var remedy: DecantError.Text {
    switch self {
    case .picture:
      "decant imports a picture only with the recipe that it belongs to: import the recipe file or the folder with both"
    default:
      "decant reads the files that recipe apps export, and saved web pages (HTML): export the recipe from its app, or "
        + "save its web page; for the supported formats, \(shell: "run: decant stores", app: "see the kinds of stores")"
    }
  }

  /// The error of a file that is one and was to be recipes.
  func refusal(of path: String) -> DecantError {
    DecantError(.notAStore, "“\(path)” is \(rawValue), from which decant cannot read recipes", remedy: remedy)
  }
}
