internal import DecantPlan
internal import DecantBase
internal import DecantSQLite

/// The pictures of a mail, listed while its text is written and written after it.
///
/// SQLite keeps the list in a table that may be moved to a file, as its size depends on the store.
final class MailPictures {
  private let store: PageStore
  private let domain: String
  /// The maximum total size in bytes: mail servers refuse large mails.
  private let byteLimit: Int
  private var byteCount = 0
  private(set) var count = 0
  /// The number of pictures that were left out because the mail would have become too large.
  private(set) var leftOut = 0

  /// Lists pictures of `store`; their names end with `domain`.
  init(_ store: PageStore, domain: String, byteLimit: Int) throws(DecantError) {
    self.store = store
    self.domain = domain
    self.byteLimit = byteLimit
    try explaining("cannot make a list of pictures") { () throws(SQLiteError) in
      try store.connection.run(
        """
        CREATE TEMP TABLE pictures (number INTEGER PRIMARY KEY, relation, key, "column", file_name, \
        UNIQUE (relation, key, "column"))
        """
      )
    }
  }

  /// Adds the picture that `object` holds in `column` to the list and returns its name; `nil` if it cannot be read
  /// again, or if it does not fit.
  func name(of bytes: PageBytes, _ caption: PageCaption) throws(DecantError) -> String? {
    guard let origin = caption.origin else { return nil }
    guard byteCount + bytes.count <= byteLimit else {
      leftOut += 1
      return nil
    }
    byteCount += bytes.count
    count += 1
    let number = count
    try explaining("cannot note a picture") { () throws(SQLiteError) in
      try store.connection.run(
        "INSERT INTO temp.pictures VALUES (?1, ?2, ?3, ?4, ?5)",
        .integer(Int64(number)),
        .integer(Int64(origin.object.relation)),
        .integer(origin.object.key),
        .integer(Int64(origin.column)),
        .text(caption.fileName)
      )
    }
    return name(number)
  }

  private func name(_ number: Int) -> String { "picture\(number)@\(domain)" }

  /// Calls `body` with each picture, in the order of the list.
  func forEach(
    _ body: (_ name: String, _ fileName: String, _ bytes: PageBytes) throws(DecantError) -> Void
  ) throws(DecantError) {
    for number in 1..<(count + 1) {
      var found: (object: PageReference, column: Int, fileName: String)?
      try explaining("cannot read the list of pictures") { () throws(SQLiteError) in
        try store.connection.forEachRow(
          "SELECT relation, key, \"column\", file_name FROM temp.pictures WHERE number = ?1",
          .integer(Int64(number))
        ) { row in
          let object = PageReference(relation: Int(row.integer(at: 0)), key: row.integer(at: 1))
          found = (object, Int(row.integer(at: 2)), row.text(at: 3) ?? "picture")
        }
      }
      guard let found, let object = try store.object(found.object),
        let bytes = try store.bytes(of: object, found.column), let format = bytes.format
      else {
        // The store is read in one transaction, so only a file beside it can have been removed meanwhile.
        throw DecantError(
          .fileChanged,
          "a picture next to the store was removed while the mail was written",
          remedy: .again
        )
      }
      try body(name(number), "\(found.fileName)-\(number).\(format.rawValue)", bytes)
    }
  }
}
