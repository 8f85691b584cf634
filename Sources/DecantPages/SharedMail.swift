internal import DecantRecipeFormats
public import DecantBase
package import DecantPlan
internal import DecantStore

/// A mail that shows objects of a store and carries their archive: a message that a mail program opens for sending.
///
/// It contains the same content as plain text and as HTML, followed by the pictures and the archive as an attachment.
/// Like a page, it is written object by object, with pictures written piece by piece.
public struct SharedMail {
  private let source: any SourceStore
  private let scope: SharedScope
  private let title: String?
  private let pictureByteLimit: Int

  /// Makes a mail of objects of `source`.
  ///
  /// - Parameters:
  ///   - source: The store; it is attached to a separate connection.
  ///   - scope: The objects, and the parts of them that are not shared.
  ///   - title: The subject, and the heading above several objects; by default the title of the only one, or their
  ///     entity's name.
  ///   - pictureByteLimit: The maximum size of the pictures in bytes: mail servers refuse large mails. The other
  ///     pictures are only named; the archive contains them.
  package init(
    of source: any SourceStore,
    _ scope: SharedScope = SharedScope(),
    title: String? = nil,
    pictureByteLimit: Int = 15_000_000
  ) {
    self.source = source
    self.scope = scope
    self.title = title
    self.pictureByteLimit = pictureByteLimit
  }

  /// Writes the mail.
  ///
  /// - Parameters:
  ///   - attachment: The archive's name, such as `Soup.decant.gz`, and a closure that supplies its bytes once; by
  ///     default the mail has no attachment.
  ///   - output: Receives the mail's bytes in order, in pieces of any size.
  /// - Returns: The content of the mail.
  /// - Throws: `DecantError` of the family `.usage` for an object that does not exist; other errors if the store cannot
  ///   be read; and errors from the attachment's closure and `output`.
  @discardableResult
  public func write(
    attachment: (name: String, bytes: ByteGiver)? = nil,
    to output: @escaping ByteTaker
  ) throws(DecantError) -> SharedReport {
    let store = try PageStore(source, scope: scope)
    let count = try store.settleRoots(scope.objects, scope.order)
    let pictures = try MailPictures(store, domain: "decant.invalid", byteLimit: pictureByteLimit)
    let parts = MailParts(to: PageOutput(output))
    try parts.begin(subject: subject(of: store, count))
    try parts.text("plain") { output throws(DecantError) in
      let walk = PageWalk(store, to: PlainTextWriter(to: output), isEverything: isEverything)
      try walk.write(title: title, count: count)
    }
    try store.forgetShown()
    var report: SharedReport?
    try parts.text("html") { output throws(DecantError) in
      let writer = HTMLWriter(to: output, store: store, attachments: pictures)
      let walk = PageWalk(store, to: writer, isEverything: isEverything)
      try walk.write(title: title, count: count)
      report = SharedReport(
        objectCount: walk.objectCount,
        pictureCount: pictures.count,
        lostFileCount: walk.lostCount,
        leftOutPictureCount: pictures.leftOut
      )
    }
    try parts.endTexts()
    try pictures.forEach { name, fileName, bytes throws(DecantError) in
      try parts.picture(bytes.format?.mediaType ?? "", name, fileName) { take throws(DecantError) in
        try store.forEachPiece(of: bytes, take)
      }
    }
    try parts.endRelated()
    if let attachment { try parts.attachment(attachment.name, attachment.bytes) }
    try parts.end()
    return report
      ?? SharedReport(objectCount: 0, pictureCount: 0, lostFileCount: 0, leftOutPictureCount: 0)
  }

  private var isEverything: Bool { scope.objects.isEmpty }

  private func subject(of store: PageStore, _ count: Int64) throws(DecantError) -> String {
    if let title { return title }
    guard let root = try store.root(after: 0) else { return "Nothing" }
    if count == 1 { return try store.title(of: root.object) ?? "" }
    let places = try store.rootRelations()
    guard places.count == 1 else { return "\(count) objects" }
    let name = PageName(store.relation(root.object.relation).root)
    return PageNumber.count(count, name.label.lowercased(), name.plural.lowercased())
  }
}
