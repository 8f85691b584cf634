internal import DecantBase
internal import DecantPostgres
internal import DecantStore
internal import Synchronization

/// A server that is asked how it reads texts as values of its types.
///
/// It has a connection of its own: in the transaction of a change, the first text that is no value would end that.
final class AskedServer {
  private let server: Server
  private let cancellation = Cancellation.current
  private var connection: PostgresConnection?
  /// Held while the connection is used: types may be asked for by several threads.
  private let turn = Mutex(())

  init(_ server: Server) { self.server = server }

  /// A type, as the catalog describes it.
  struct Description {
    /// The name in the catalog.
    let name: String
    /// The SQL of the type with its limits, and without.
    let full: String
    let base: String
    /// Whether it is one of the server's own, whose operators are known.
    let isOwn: Bool

    /// The query for the texts $1, read as values: their spelling, and whether the type and its limits keep them.
    ///
    /// Unlike a cast, JSON is read with the limits that a written row has to respect.
    fileprivate var query: String {
      let spelling = { (value: String) in "(\(CatalogSchema.reading(value, name).expression))" }
      let isKept =
        switch true {
        // These cut texts.
        case isOwn && ["name", "char"].contains(name): "\(spelling("x.v")) = x.t"
        case full == base: "true"
        case isOwn: "x.v OPERATOR(pg_catalog.=) x.w"
        default: "\(spelling("x.v")) = \(spelling("x.w"))"
        }
      return """
        SELECT \(spelling("x.v")), \(isKept) FROM pg_catalog.json_to_recordset((
          SELECT pg_catalog.json_agg(pg_catalog.json_build_object('n', t.n, 'v', t.v, 'w', t.v, 't', t.v))
          FROM pg_catalog.unnest($1::pg_catalog.text[]) WITH ORDINALITY AS t (v, n)
        )) AS x (n bigint, v \(full), w \(base), t text) ORDER BY x.n
        """
    }
  }

  /// Returns a type whose values the server is asked for.
  func type(_ description: Description) -> AskedType {
    var isKnown = false
    return AskedType(description.full) { [self] texts throws(DecantError) in
      try turn.withLock { _ throws(DecantError) -> [AskedType.Reading] in
        let connection = try opened()
        let query = description.query
        if !isKnown {
          // If this fails, the cause is no text.
          try server.explaining("cannot ask how the server reads the type \(description.full)") {
            () throws(PostgresError) in _ = try connection.rows(query, ["{NULL}"])
          }
          isKnown = true
        }
        return try readings(texts[...], description, query, connection)
      }
    }
  }

  private func opened() throws(DecantError) -> PostgresConnection {
    if let connection { return connection }
    let made = try server.connect()
    made.isStopped = { [cancellation] in cancellation?.isCancelled == true }
    // Types may call functions that depend on it.
    try server.explaining("cannot set the search path") { () throws(PostgresError) in try made.useSearchPath() }
    connection = made
    return made
  }

  /// Asks for fewer and fewer texts at once until only one that is no value remains.
  private func readings(
    _ texts: ArraySlice<String>, _ type: Description, _ query: String, _ connection: PostgresConnection
  ) throws(DecantError) -> [AskedType.Reading] {
    do throws(PostgresError) {
      return try connection.rows(query, [ServerNames.array(Array(texts))]).map { row in
        guard let spelling = row[0], row[1] == "t" else {
          return .fault("has more digits or characters than its type \(type.full) keeps")
        }
        return .value(spelling)
      }
    } catch {
      guard error.isOfText else {
        throw server.error(error, "cannot ask how the server reads the type \(type.full)")
      }
      guard texts.count > 1 else {
        return [.fault("is not a value of the type \(type.full): \(error.messageWithoutValue)")]
      }
      let middle = texts.startIndex + texts.count / 2
      let first = try readings(texts[..<middle], type, query, connection)
      return try first + readings(texts[middle...], type, query, connection)
    }
  }
}

extension PostgresError {
  /// Whether a text that is read as a value is the cause: it is not valid, or names something that does not exist.
  ///
  /// Types of extensions may report it without a code of its own, as an internal error.
  fileprivate var isOfText: Bool {
    isOfRow || ["42", "3F", "XX000"].contains { state?.hasPrefix($0) == true } && !isPermission
  }

  /// The message without the value at its end.
  fileprivate var messageWithoutValue: String {
    var words = message.split(separator: ": \"", maxSplits: 1).first.map(String.init) ?? message
    while words.hasSuffix(".") { words.removeLast() }
    return words
  }
}
