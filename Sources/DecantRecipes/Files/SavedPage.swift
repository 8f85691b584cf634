internal import DecantArchive
internal import DecantBase
internal import DecantPropertyList
internal import DecantRecipeFormats

/// A page that a browser saved in one file: the page itself, and its pictures by their addresses.
final class SavedPage: RecipeScope {
  /// The structure of such a file.
  enum Form: Sendable, Hashable {
    /// MHTML: a mail whose parts are the page and the resources that it shows (RFC 2557).
    case mail
    /// A property list of Safari.
    case webArchive

    /// Examines the first bytes of a file; `nil` for any other file.
    init?(head: [UInt8]) {
      if ArchiveStream.isSavedPage(head: head) {
        self = .mail
      } else if head.starts(with: "bplist0".utf8) || head.starts(with: "<?xml".utf8) {
        let start = String(decoding: head.prefix(1 << 12), as: UTF8.self)
        guard start.contains("WebMainResource"), start.hasPrefix("bplist0") || start.contains("<plist") else {
          return nil
        }
        self = .webArchive
      } else {
        return nil
      }
    }
  }

  private let spool: TextSpool
  private let pictures: RecipePictures
  private var page: SpooledText?
  /// The encoding that is given with the page.
  private var encoding: String?
  /// The original address of the page.
  private(set) var address: String?
  /// The problems with parts of the file.
  private(set) var warnings: [String] = []
  private var resources: [String: SpooledText] = [:]
  private var resourceCount = 0
  /// The address and the names of the current part; `nil` for the page.
  private var partNames: [String]?

  /// The limits for the number of parts, and for the size of web archives.
  private static let countLimit = 100_000
  private static let archiveByteLimit: Int64 = 256 << 20

  var isForward: Bool { false }

  /// Makes an empty page.
  ///
  /// - Parameters:
  ///   - spool: Stores the content of the file.
  ///   - pictures: Stores the pictures of the current recipe.
  private init(_ spool: TextSpool, _ pictures: RecipePictures) { (self.spool, self.pictures) = (spool, pictures) }

  /// Reads a file.
  ///
  /// - Throws: `RecipeFault` if the file is damaged so that it contains no page.
  static func read(_ input: RecipeInput, _ form: Form, _ spool: TextSpool, _ pictures: RecipePictures) throws
    -> SavedPage
  {
    let page = SavedPage(spool, pictures)
    switch form {
    case .mail: try page.readMail(input)
    case .webArchive: try page.readArchive(input)
    }
    guard page.page != nil else { throw RecipeFault("the file contains no page") }
    return page
  }

  /// Returns a closure that supplies the bytes of the page.
  func bytes() throws -> (UnsafeMutableRawBufferPointer) throws -> Int {
    guard let page else { return { _ in 0 } }
    let read = DocumentText.long(page).bytes
    guard let encoding, encoding.lowercased() != "utf-8" else { return read }
    // The encoding given with the page takes precedence over the one that the page declares.
    var mark = Array("<meta charset=\"\(encoding)\">".utf8)[...]
    return { buffer in
      guard !mark.isEmpty else { return try read(buffer) }
      let count = min(mark.count, buffer.count)
      buffer.copyBytes(from: mark.prefix(count))
      mark = mark.dropFirst(count)
      return count
    }
  }

  // MARK: Pictures

  func picture(_ request: PictureRequest) throws -> RecipePictures.Picture? {
    for name in request.names {
      guard let text = keys(of: name).lazy.compactMap({ self.resources[$0] }).first else { continue }
      do {
        return pictures.picture(try pictures.take { spool in try text.forEachPiece(spool) })
      } catch is RecipeFault {
        continue
      }
    }
    return nil
  }

  /// Returns the keys of the resource that the page calls `name`: its address without scheme and fragment, with and
  /// without escapes.
  private func keys(of name: String) -> [String] {
    let absolute = address.map { PageAddress.absolute(name, on: $0) } ?? name
    return [absolute, name].flatMap { name -> [String] in
      var key = String(name.prefix { $0 != "#" })
      for scheme in ["https:", "http:"] where key.hasPrefix(scheme) { key = String(key.dropFirst(scheme.count)) }
      return [key, PageAddress.unescaped(key)]
    }
  }

  private func note(_ text: SpooledText, _ names: [String]) {
    for name in names.flatMap({ keys(of: $0) }) where resources[name] == nil { resources[name] = text }
  }

  private func count() throws {
    resourceCount += 1
    guard resourceCount <= Self.countLimit else { throw RecipeFault("the file has more than \(Self.countLimit) parts") }
  }

  // MARK: MHTML

  private func readMail(_ input: RecipeInput) throws {
    do {
      let isWhole = try MailReader.read({ buffer in try input.read(into: buffer) }, to: self)
      if !isWhole { warnings.append("the file is truncated: its end is missing") }
    } catch let fault as MailFault {
      throw RecipeFault(fault.message)
    }
  }

  // MARK: Web archives

  private func readArchive(_ input: RecipeInput) throws {
    var bytes: [UInt8] = []
    try input.forEachPiece { piece in
      guard bytes.count + piece.count <= Self.archiveByteLimit else {
        throw RecipeFault("the web archive has more than \(Self.archiveByteLimit >> 20) MiB")
      }
      bytes.append(contentsOf: piece)
    }
    let list: PropertyList
    do {
      list = try PropertyList.read(bytes)
    } catch {
      throw RecipeFault("the web archive is damaged: \(error)")
    }
    guard case .dictionary(let members) = list, let main = members["WebMainResource"]?.resource else {
      throw RecipeFault("the web archive contains no page")
    }
    (address, encoding) = (main.address, main.encoding)
    page = try spool.take(main.bytes)
    guard case .array(let others)? = members["WebSubresources"] else { return }
    for other in others {
      try count()
      guard let resource = other.resource, let address = resource.address else { continue }
      guard ImageFormat(head: Array(resource.bytes.prefix(16))) != nil else { continue }
      note(try spool.take(resource.bytes), [address])
    }
  }
}

extension SavedPage: MailPartTaker {
  func begin(_ part: MailPart) throws -> Bool {
    try count()
    let location = String(part["content-location"].filter { !$0.isWhitespace })
    if part.type == "text/html" || part.type == "application/xhtml+xml" {
      // Further pages belong to frames.
      guard page == nil else { return false }
      // The page may be called by an identifier of the file only.
      let places = [location, part["snapshot-content-location"]]
      address = places.first { $0.contains("://") } ?? places.first { !$0.isEmpty }
      encoding = part.parameter("charset", of: "content-type")
      partNames = nil
    } else {
      guard part.type.hasPrefix("image/") || part.type == "application/octet-stream" else { return false }
      let id = part["content-id"].trimmed.drop { $0 == "<" }.prefix { $0 != ">" }
      partNames = [location, id.isEmpty ? "" : "cid:\(id)"].filter { !$0.isEmpty }
      guard partNames?.isEmpty == false else { return false }
    }
    spool.begin()
    return true
  }

  func take(_ bytes: UnsafeRawBufferPointer) throws { try spool.append(bytes) }

  func end(_ fault: String?) throws {
    let text = spool.finish()
    guard let names = partNames else {
      page = text
      if let fault { warnings.append("the page in the file \(fault)") }
      return
    }
    guard fault == nil else { return warnings.append("the picture “\(names[0])” \(fault ?? "")") }
    note(text, names)
  }
}

extension PropertyList {
  /// A resource of a web archive.
  fileprivate struct Resource {
    let bytes: [UInt8]
    let address, encoding: String?
  }

  fileprivate var resource: Resource? {
    guard case .dictionary(let members) = self, case .data(let bytes)? = members["WebResourceData"] else { return nil }
    func text(_ name: String) -> String? {
      if case .string(let text)? = members[name] { text } else { nil }
    }
    return Resource(bytes: bytes, address: text("WebResourceURL"), encoding: text("WebResourceTextEncodingName"))
  }
}
