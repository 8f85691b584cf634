package import DecantBase
package import DecantStore
package import DecantSQLite

/// The objects that a copy left out, for whoever writes them down so that they can be taken in later.
package struct RejectedObjects {
  /// Where their store is, and how it was opened.
  package let location: StoreLocation
  package let options: CopyOptions
  /// The file that is to be written.
  package let path: String
  /// The connection on which the store is attached as `schema`, and held in one state.
  package let connection: Connection
  package let schema: String
  /// That state: equal texts mean that nothing was written in between.
  package let fingerprint: String
  /// What the objects were to become, where a mapping says so.
  package let form: Form?

  package init(
    location: StoreLocation,
    options: CopyOptions,
    path: String,
    connection: Connection,
    schema: String,
    fingerprint: String,
    form: Form?
  ) {
    (self.location, self.options, self.path) = (location, options, path)
    (self.connection, self.schema, self.fingerprint) = (connection, schema, fingerprint)
    self.form = form
  }

  /// The store that objects were to be written to, as they are told by its names.
  package struct Form {
    /// Where its objects lie.
    package let layout: Layout
    /// A connection that has its tables, or the same ones, as `schema`.
    package let connection: Connection
    package let schema: String

    package init(layout: Layout, connection: Connection, schema: String) {
      (self.layout, self.connection, self.schema) = (layout, connection, schema)
    }
  }

  /// The table on `connection` that names them: `decant_root`, `decant_key`, `decant_code` and
  /// `decant_reason`, which no app's column is called.
  package static let table = "temp.decant_rejected"

  /// Whether a table of a store is one in which an unfinished copy notes how far it is.
  package static func isWorkTable(_ name: String) -> Bool {
    OwnTables.ofWork.contains(name.lowercased())
  }

  /// A key of several values, or of one that is no integer, as `decant_key` holds it: a JSON array, bytes in hexadecimal
  /// digits.
  ///
  /// - Parameter values: The columns as SQL names them, or parameters.
  /// - Returns: An expression.
  package static func keyText(_ values: [String]) -> String {
    let items = values.map { "CASE typeof(\($0)) WHEN 'blob' THEN hex(\($0)) ELSE \($0) END" }
    return "json_array(\(items.joined(separator: ", ")))"
  }
}

/// A file that is written, and that gets its name when what it speaks of is done.
package protocol PendingFile: AnyObject {
  /// What a reader should know of it.
  var notes: [ReportNote] { get }
  /// Gives the file its name; nothing has it.
  func publish() throws(DecantError)
  /// Removes what was written.
  func abandon()
}
