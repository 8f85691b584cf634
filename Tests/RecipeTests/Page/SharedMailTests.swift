import Decant
import Foundation
import TestSupport
import Testing

/// Mails as Python's `email` reads them.
@Suite struct SharedMailTests {
  private let files: SharedFiles

  init() throws { files = try SharedFiles.kitchen() }

  @Test func `a mail has its text twice, its pictures and its archive`() throws {
    let archive = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    let report = try files.writeMail(attachment: ("Küche für Gäste.decant.gz", SharedFiles.giver(archive, count: 101)))
    let mail = try MailContent(files)
    #expect(mail.defects.isEmpty)
    #expect(mail.unsent == "1" && mail.subject == "12 recipes")
    let count = report.pictureCount
    #expect(
      mail.structure == [
        "multipart/mixed", " multipart/related", "  multipart/alternative", "   text/plain",
        "   text/html",
      ] + Array(repeating: "  image/png", count: count) + [" application/gzip"]
    )
    #expect(mail.longestLine <= 78 && mail.endsLinesRightly)

    let pictures = try files.column("SELECT substr(ZDATA, 2) FROM ZIMAGE")
    #expect(mail.pictures.map(\.digest).sorted() == pictures.sorted())
    #expect(mail.pictures.allSatisfy { $0.disposition == "inline" })
    #expect(mail.references.map { "<\($0)>" } == mail.pictures.compactMap(\.id))

    let attachment = try #require(mail.attachments.first)
    #expect(attachment.name == "Küche für Gäste.decant.gz" && attachment.disposition == "attachment")
    let digest: String = try files.python(
      "import hashlib, json; print(json.dumps(hashlib.sha256(bytes(n * 7 % 256 for n in range(10000))).hexdigest()))",
      []
    )
    #expect(attachment.digest == digest)

    for title in try files.column("SELECT ZTITLE FROM ZRECIPE") {
      #expect(mail.plain.contains(title) && mail.html.contains(title))
    }
    for step in try files.column("SELECT ZTEXT FROM ZSTEP") { #expect(mail.plain.contains(step)) }
    #expect(!mail.html.contains("data:") && !mail.html.contains("<script"))
  }

  @Test func `a mail without attachment and pictures is still one`() throws {
    let scope = SharedScope(objects: [SharedObject("Category", 1)])
    try files.writeMail(scope)
    let mail = try MailContent(files)
    #expect(mail.defects.isEmpty && mail.attachments.isEmpty && mail.pictures.isEmpty)
    #expect(mail.subject == "Soups")
  }

  @Test(arguments: [
    "Süßkartoffel-Auflauf mit Ümläuten und einem sehr langen Titel, der über viele Zeilen geht 🧁",
    "=?utf-8?q?x?=", "a\r\nBcc: b@c.example", String(repeating: "long ", count: 39) + "end",
  ])
  func `any title is a subject`(_ title: String) throws {
    try files.writeMail(title: title)
    let mail = try MailContent(files)
    let shown = title.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(mail.subject == shown)
    #expect(mail.headers == ["X-Unsent", "Subject", "MIME-Version", "Content-Type"])
    #expect(mail.longestLine <= 78)
  }

  @Test func `pictures beyond the limit are named`() throws {
    let report = try files.writeMail(pictureByteLimit: 1_500)
    let mail = try MailContent(files)
    #expect(mail.pictures.count == 2 && report.pictureCount == 2)
    #expect(report.leftOutPictureCount == 7)
    #expect(mail.references.count == 2 && mail.html.contains("only in the attached data"))
  }
}
