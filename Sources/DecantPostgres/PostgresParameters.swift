internal import CDecantPostgres

/// The parameters of a connection, as specified by a user in a location.
package struct PostgresParameters: Sendable, Hashable {
  /// Names and values, for libpq.
  package private(set) var pairs: [(String, String)]
  /// The schema in the location; `nil` for none.
  package private(set) var schema: String?

  package static func == (one: PostgresParameters, other: PostgresParameters) -> Bool {
    one.schema == other.schema && one.pairs.elementsEqual(other.pairs, by: ==)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(schema)
    for (name, value) in pairs {
      hasher.combine(name)
      hasher.combine(value)
    }
  }

  /// The reason a location cannot be used; no case repeats a part of it.
  package enum Fault: Error, Sendable, Hashable {
    /// It contains a password.
    case password
    /// It names several schemas.
    case schemas
    /// It is neither an address nor a list of parameters that libpq understands.
    case syntax
    /// libpq cannot be loaded, for this reason.
    case library(String)
  }

  /// Parses the text after the scheme: `//[user@]host[:port]/database?parameter=value`, or a list of parameters.
  ///
  /// The additional parameter `schema` is not known to libpq.
  package init(_ place: String) throws(Fault) {
    let (rest, schemas) = place.hasPrefix("//") ? Self.schemasOfAddress(place) : Self.schemasOfList(place)
    schema = schemas.first
    // libpq does not recognize a password that contains a slash: it takes the text before the slash for a port.
    guard !Self.mayHoldPassword(place) else { throw .password }
    guard schemas.count < 2 else { throw .schemas }
    let text = rest.hasPrefix("//") ? "postgresql:\(rest)" : rest
    if let fault = decant_pq_load() { throw .library(String(cString: fault)) }
    var message: UnsafeMutablePointer<CChar>?
    guard let options = PQconninfoParse(text, &message) else {
      // The message quotes the user's text.
      PQfreemem(message)
      throw place.lowercased().contains("password") ? .password : .syntax
    }
    defer { PQconninfoFree(options) }
    var pairs: [(String, String)] = []
    var option = options
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val {
        pairs.append((String(cString: keyword), String(cString: value)))
      }
      option += 1
    }
    self.pairs = pairs
    guard !pairs.contains(where: { Self.secrets.contains($0.0) || Self.mayHoldPassword($0.0, $0.1) }) else {
      throw .password
    }
    // libpq would send it to the server as the name of a database.
    guard !pairs.contains(where: { $0.0 == "dbname" && $0.1.contains("://") }) else { throw .syntax }
  }

  /// The parameters whose values are secret, as opposed to those that name a file.
  private static let secrets: Set<String> = ["password", "sslpassword"]

  /// Whether an address has a colon before its last @; either may be percent-encoded.
  private static func mayHoldPassword(_ place: String) -> Bool {
    guard place.hasPrefix("//") else { return false }
    let address = decoded(place.prefix { $0 != "?" })
    return address.lastIndex(of: "@").map { address[..<$0].contains(":") } ?? false
  }

  /// Whether the value of a parameter may contain a password: a user with a colon, or a database that is an address or
  /// another list of parameters.
  private static func mayHoldPassword(_ name: String, _ value: String) -> Bool {
    switch name {
    case "user": value.contains(":")
    case "dbname":
      value.contains("=") && value.lowercased().contains("password")
        || value.firstRange(of: "//").map { mayHoldPassword(String(value[$0.lowerBound...])) } ?? false
    default: false
    }
  }

  /// Extracts each parameter `schema` from the address.
  private static func schemasOfAddress(_ place: String) -> (String, [String]) {
    guard let mark = place.firstIndex(of: "?") else { return (place, []) }
    var schemas: [String] = []
    let kept = place[place.index(after: mark)...].split(separator: "&").filter { part in
      guard part.hasPrefix("schema=") else { return true }
      schemas.append(decoded(part.dropFirst("schema=".count)))
      return false
    }
    return (place[..<mark] + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&")), schemas)
  }

  /// Extracts each parameter `schema` from a list.
  private static func schemasOfList(_ place: String) -> (String, [String]) {
    var schemas: [String] = []
    var kept = ""
    var rest = Substring(place)
    while let start = rest.firstIndex(where: { !$0.isWhitespace }) {
      rest = rest[start...]
      let (word, end) = word(rest)
      if word.hasPrefix("schema=") {
        schemas.append(unquoted(word.dropFirst("schema=".count)))
      } else {
        kept += (kept.isEmpty ? "" : " ") + word
      }
      rest = rest[end...]
    }
    return (kept, schemas)
  }

  /// Returns the first setting of a list, up to white space outside quotation marks.
  private static func word(_ text: Substring) -> (Substring, Substring.Index) {
    var isQuoted = false
    var isEscaped = false
    var end = text.startIndex
    while end < text.endIndex {
      let character = text[end]
      if isEscaped {
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "'" {
        isQuoted.toggle()
      } else if character.isWhitespace, !isQuoted {
        break
      }
      end = text.index(after: end)
    }
    return (text[..<end], end)
  }

  private static func unquoted(_ text: Substring) -> String {
    var text = text
    if text.count >= 2, text.first == "'", text.last == "'" { text = text.dropFirst().dropLast() }
    var result = ""
    var isEscaped = false
    for character in text {
      if character == "\\", !isEscaped {
        isEscaped = true
      } else {
        result.append(character)
        isEscaped = false
      }
    }
    return result
  }

  /// Returns a part of an address without its percent encoding.
  private static func decoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2, let value = UInt8(String(Substring(rest.prefix(2))), radix: 16) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
