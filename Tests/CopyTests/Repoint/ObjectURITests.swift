import Decant
import Testing

@testable import DecantCoreData

@Suite struct ObjectURITests {
  private static let uuid = "778381CD-532B-812B-8CCD-A0DEBBEEE974"

  @Test func `an object's URI is read and written`() {
    let uri = "x-coredata://\(Self.uuid)/Recipe/p12"
    #expect(
      ObjectURIs().reference(in: uri)
        == .object(store: Self.uuid, entity: "Recipe", key: 12)
    )
    #expect(ObjectURIs().text(store: Self.uuid, entity: "Recipe", key: 12) == uri)
  }

  @Test func `a name that is no plain one is escaped as in every URI`() {
    let uri = "x-coredata://\(Self.uuid)/K%C3%BCche%20_2/p9223372036854775807"
    #expect(
      ObjectURIs().reference(in: uri)
        == .object(store: Self.uuid, entity: "Küche _2", key: .max)
    )
    #expect(ObjectURIs().text(store: Self.uuid, entity: "Küche _2", key: .max) == uri)
  }

  @Test(arguments: [
    "x-coredata:///Recipe/t2C5E0B2A-1", "x-coredata://\(uuid)/Recipe/t1",
  ])
  func `an object that was never saved is temporary`(uri: String) {
    #expect(ObjectURIs().reference(in: uri) == .temporary)
  }

  @Test(arguments: [
    "", "x-coredata://", "x-coredata://a", "x-coredata://a/b", "x-coredata:///Recipe/p1",
    "x-coredata://a/b/p", "x-coredata://a/b/p01", "x-coredata://a/b/p-1", "x-coredata://a/b/p1/",
    "x-coredata://a/b/p1?x", "x-coredata://a//p1", "x-coredata://a/b/q1", "x-coredata://a/%4/p1",
    "x-coredata://a/%FF/p1", "x-coredata://a/b/p9223372036854775808", "X-coredata://a/b/p1",
    "http://a/b/p1", "x-coredata://a/b/p１",
  ])
  func `anything else is no reference`(text: String) {
    #expect(ObjectURIs().reference(in: text) == nil)
  }
}
