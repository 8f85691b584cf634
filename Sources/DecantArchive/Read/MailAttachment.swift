internal import DecantBase
internal import DecantPlan
internal import DecantSystem

/// Extracts the archive from a mail: the attachment with the name of an archive.
final class MailAttachment: MailPartTaker {
  private let path: String
  private let descriptor: Int32
  private var found = 0
  /// The error in the first archive.
  private var fault: String?

  private init(path: String, descriptor: Int32) { (self.path, self.descriptor) = (path, descriptor) }

  /// The remedy for a mail that cannot be read.
  private static let remedy: DecantError.Text = "save the attachment and pass that file"

  /// Writes the attachment of the mail in `lines` to a new file at `path`.
  ///
  /// - Throws: `ArchiveFault` if there is none, or more than one.
  static func extract(_ lines: LineInput, to path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw DecantError(SystemError("write", path)) }
    defer { close(descriptor) }
    let mail = MailAttachment(path: path, descriptor: descriptor)
    do {
      _ = try MailReader.read(lines, to: mail)
    } catch let fault as MailFault {
      throw ArchiveFault(fault.message, remedy: remedy)
    }
    if let fault = mail.fault { throw ArchiveFault("the attachment \(fault)", remedy: ArchiveReceipt.remedy) }
    guard mail.found == 1 else {
      throw ArchiveFault(
        mail.found == 0 ? "the mail has no archive attached" : "the mail has several archives attached",
        remedy: remedy
      )
    }
  }

  func begin(_ part: MailPart) -> Bool {
    let names = [
      part.parameter("filename", of: "content-disposition"), part.parameter("name", of: "content-type"),
    ].compactMap(\.self)
    let isArchive =
      names.contains { ArchivePlace($0, isAsked: false)?.isLines == true }
      || part.type.hasPrefix("application/vnd.decant")
    guard isArchive else { return false }
    found += 1
    return found == 1
  }

  func take(_ bytes: UnsafeRawBufferPointer) throws { try Files.write(bytes, to: descriptor, of: path) }

  func end(_ fault: String?) { self.fault = fault }
}
