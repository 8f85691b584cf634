import Decant
import DecantFoundation
import Foundation
import TestSupport
import Testing

/// Places as URLs: each verb works on the very file that the URL names.
@Suite struct PlaceTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func store(_ sample: String, _ name: String) throws -> URL {
    let url = folder.url.appending(path: name)
    try FileManager.default.copyItem(at: Fixtures.projectFolder.appending(path: "samples/\(sample)"), to: url)
    return url
  }

  @Test(arguments: ["sqlite:a.sqlite", "ü é 100%.sqlite", "a?b.sqlite", "a#b.sqlite", "%41.sqlite"])
  func `a name of any letters is that of the file`(name: String) throws {
    let guests = try store("Guests.sqlite", name)
    #expect(guests.decantPlace == folder.path(name))
    let kitchen = try store("Kitchen.sqlite", "into \(name)")
    let merged = try Merge([guests], into: kitchen).run()
    #expect(try #require(merged.reports.first).copiedCount > 0)
    #expect(try Verify(guests, against: guests).run().isEqual)
    #expect(!(try Diff(guests, kitchen).run().isEqual))

    let archive = folder.url.appending(path: "\(name).decant")
    try Export(from: guests, to: archive).run()
    let again = folder.url.appending(path: "again \(name)")
    let imported = try Import([archive], into: again).run()
    #expect(try #require(imported.first).copiedCount > 0)
    let copied = folder.url.appending(path: "copied \(name)")
    try Copy(from: again, to: copied).run()
    #expect(try Inspect(copied).run().identity.place == copied.path)
  }

  @Test(arguments: [
    ("sqlite:/a/b.db", "sqlite:/a/b.db"), ("file:///a/b%20c.sqlite", "/a/b c.sqlite"),
    ("file:///a/App.momd/", "/a/App.momd"), ("file:///a/App.momd#2%20b", "/a/App.momd#2 b"),
  ])
  func `a URL is a place`(text: String, place: String) throws {
    #expect(try #require(URL(string: text)).decantPlace == place)
  }

  @Test(arguments: ["postgres://me:secret@host/db", "mysql://me:secret@host/db"])
  func `a server with a password is refused, and the password stays out`(address: String) throws {
    let url = try #require(URL(string: address))
    let error = try #require(#expect(throws: DecantError.self) { try Inspect(url).run() })
    #expect(error.family == .usage)
    #expect(!"\(error) \(error.failureReason ?? "")".contains("secret"))
  }
}
