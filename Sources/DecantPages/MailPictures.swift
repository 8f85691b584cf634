internal import DecantPlan
internal import DecantBase
internal import DecantSQLite

/// The pictures that a mail carries, noted while its text is written and written behind it.
///
/// The list is kept by SQLite in a table that goes to a file: what it holds grows with the store.
final class MailPictures {
  private let store: PageStore
  private let domain: String
  /// Together they take so many bytes at most: mail servers refuse large mails.
  private let byteLimit: Int
  private var byteCount = 0
  private(set) var count = 0
  /// How many were left out, because they would have made the mail too large.
  private(set) var leftOut = 0

  /// Notes pictures of `store`; `domain` is what their names end with.
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

  /// Notes the picture that `object` holds in `column` and returns its name; `nil` where it cannot be
  /// read again, or has no room.
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

  /// Calls `body` with each picture, in the order in which they were noted.
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
        // The store is read in one transaction: only a file beside it can have gone meanwhile.
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
