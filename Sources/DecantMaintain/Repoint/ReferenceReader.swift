internal import DecantPlan
internal import DecantBase
internal import DecantSQLite

/// A reference read from a store.
enum FoundReference {
  case named(store: String, entity: String, key: Int64)
  case temporary
  /// A bare key: a number, or a text with a number that may begin with a “p”.
  case key(Int64, Spelling)
  case other(String?)

  /// The notation of a bare key.
  enum Spelling { case integer, text, prefixed }
}

/// Reads references from the columns of a store.
struct ReferenceReader {
  let notation: any ReferenceNotation

  /// Reads the reference in a column.
  func reference(in row: Statement, _ column: Int, _ site: ReferenceSite) -> FoundReference {
    switch row.type(at: column) {
    case .null, .real: return .other(nil)
    case .integer:
      let key = row.integer(at: column)
      return site.place.target == nil ? .other(String(key)) : .key(key, .integer)
    case .text, .blob:
      let isBlob = row.type(at: column) == .blob
      let text = row.withBytes(at: column) { bytes -> String? in
        guard bytes.count <= ReferenceReader.longestReference else { return nil }
        if isBlob, bytes.count == 16, site.form == .uuid || site.form == .likeReference {
          return Array(bytes).uuidText
        }
        return String(validating: bytes, as: UTF8.self)
      }
      guard let text else { return .other(nil) }
      switch notation.reference(in: text) {
      case .object(let store, let entity, let key):
        return .named(store: store, entity: entity, key: key)
      case .temporary: return .temporary
      case nil: break
      }
      guard site.place.target != nil else { return .other(text) }
      if let key = Int64(canonical: text) { return .key(key, .text) }
      if text.hasPrefix("p"), let key = Int64(canonical: text.dropFirst()) {
        return .key(key, .prefixed)
      }
      return .other(text)
    }
  }

  /// The maximum length of a reference; entities and identifiers have short names.
  private static let longestReference = 8_192
}

extension Int64 {
  /// Reads a number in its canonical form: without sign, blanks or leading zeros.
  init?(canonical text: some StringProtocol) {
    guard text.utf8.count <= 19, text.utf8.allSatisfy({ (48...57).contains($0) }),
      text.utf8.first != 48 || text.utf8.count == 1, let number = Int64(text)
    else { return nil }
    self = number
  }
}
