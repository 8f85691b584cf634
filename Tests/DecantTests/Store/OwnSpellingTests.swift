import DecantSQLite
import Testing

@testable import DecantStore

/// Texts that are passed on as they are would be written the same.
@Suite struct OwnSpellingTests {
  private static let spellings = [
    "uuid", "date", "time", "time 1", "timestamp", "timestamp 0", "timestamptz", "timestamptz 3", "numeric",
    "numeric 2",
    "numeric trimmed", "numeric trimmed 2", "numeric 0", "jsonb", "jsonb trimmed",
  ]
  private static let texts = [
    "6f9619ff-8b86-d011-b42d-00c04fc964ff", "2024-01-05", "08:00:00", "08:00:00.5", "2024-01-05 08:00:00",
    "2024-01-05 08:00:00.12", "2024-01-05T08:00:00.123000Z", "2024-01-05T08:00:00.120000Z", "5.50", "-0.01", "0", "100",
    #"{"a": 1, "b": [true, null, "x"], "aa": {"c": 1.50}}"#, "[]", "-1.5",
  ]

  private func isOwn(_ text: String, _ spelling: ValueSpelling) -> Bool {
    Array(text.utf8).withUnsafeBytes { OwnSpelling.holds($0, spelling) }
  }

  @Test(arguments: spellings) func `a text that is recognised is in the spelling`(name: String) throws {
    let spelling = try #require(ValueSpelling(name))
    var count = 0
    for text in Self.texts {
      let bytes = Array(text.utf8)
      for place in bytes.indices {
        for byte in "09-:. ,\"}Z".utf8 {
          var (changed, longer, shorter) = (bytes, bytes, bytes)
          changed[place] = byte
          longer.insert(byte, at: place)
          shorter.remove(at: place)
          for candidate in [bytes, changed, longer, shorter].map({ String(decoding: $0, as: UTF8.self) })
          where isOwn(candidate, spelling) {
            count += 1
            #expect(spelling.respelled(.text(candidate)) == .text(candidate), "\(candidate)")
          }
        }
      }
    }
    #expect(count > 0)
  }
}
