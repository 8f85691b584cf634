internal import DecantBase

/// A document that may hold recipes but that decant does not read, recognized by its first bytes.
///
/// Several of these formats are ZIP files or property lists, so the format is determined before anything is unpacked.
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

  /// The number of first bytes that are needed to recognize them.
  static let headByteCount = 1 << 12

  /// Examines the first bytes of a document, up to `headByteCount` of them; `nil` for any other document.
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

  /// Examines the first bytes of the file at `path`, and for a ZIP file with a preview also its last ones, which
  /// contain the names of its members.
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

  /// The bytes that identify documents, each at a place among their first bytes.
  private static let marks: [(document: ForeignDocument, place: Int, bytes: [UInt8])] = [
    (.pdf, 0, Array("%PDF-".utf8)), (.richText, 0, Array("{\\rtf".utf8)), (.film, 4, Array("ftyp".utf8)),
    (.book, 60, Array("BOOKMOBI".utf8)), (.office, 0, [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]),
  ]

  /// The folders that contain the parts of Office documents.
  private static let parts: [(folder: String, document: ForeignDocument)] = [
    ("word/", .word), ("xl/", .spreadsheet), ("ppt/", .presentation),
  ]

  /// Other possible first members of Office documents, and of those of Pages, Numbers and Keynote.
  private static let membersOfOffice = ["[Content_Types].xml", "_rels/.rels", "docProps/app.xml", "docProps/core.xml"]
  private static let membersOfPages = [
    "Index.zip", "Metadata/Properties.plist", "Metadata/DocumentIdentifier", "Metadata/BuildVersionHistory.plist",
    "preview-micro.jpg", "preview-web.jpg",
  ]

  /// Returns the length of the name or of the extra field, which are at the end of the 30-byte header of a ZIP member.
  private static func length(_ head: [UInt8], at place: Int) -> Int { Int(head[place]) + Int(head[place + 1]) << 8 }

  /// Returns the name of the first member of a ZIP file.
  private static func firstMember(_ head: [UInt8]) -> String? {
    guard head.starts(with: [0x50, 0x4B, 3, 4]), head.count > 30 else { return nil }
    return text(head.dropFirst(30).prefix(length(head, at: 26)))
  }

  /// Returns the kind of a ZIP file that its first member reveals.
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

  /// The advice for such a document.
  var remedy: DecantError.Text {
    switch self {
    case .picture:
      "decant imports a picture only with the recipe that it belongs to: import the recipe file or the folder with both"
    default:
      "decant reads the files that recipe apps export, and saved web pages (HTML): export the recipe from its app, or "
        + "save its web page; for the supported formats, \(shell: "run: decant stores", app: "see the kinds of stores")"
    }
  }

  /// Returns the error for such a file when recipes were expected.
  func refusal(of path: String) -> DecantError {
    DecantError(.notAStore, "“\(path)” is \(rawValue), from which decant cannot read recipes", remedy: remedy)
  }
}
