package import DecantBase
package import DecantStore
package import DecantSQLite

/// The objects that a copy rejected, to be written to a file for a later import.
package struct RejectedObjects {
  /// The location of their store, and the options it was opened with.
  package let location: StoreLocation
  package let options: CopyOptions
  /// The file to write.
  package let path: String
  /// The connection with the store as `schema`, held in one state.
  package let connection: Connection
  package let schema: String
  /// That state: equal texts mean that nothing was written in between.
  package let fingerprint: String
  /// The intended form of the objects, if a mapping defines one.
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

  /// The destination of the objects, whose names are used for them.
  package struct Form {
    /// The layout of its objects.
    package let layout: Layout
    /// A connection with its tables, or equal ones, as `schema`.
    package let connection: Connection
    package let schema: String

    package init(layout: Layout, connection: Connection, schema: String) {
      (self.layout, self.connection, self.schema) = (layout, connection, schema)
    }
  }

  /// The table on `connection` that lists the objects.
  ///
  /// Its columns are `decant_root`, `decant_key`, `decant_code` and `decant_reason`, which no app uses.
  package static let table = "temp.decant_rejected"

  /// Returns whether a table of a store records the progress of an unfinished copy.
  package static func isWorkTable(_ name: String) -> Bool {
    OwnTables.ofWork.contains(name.lowercased())
  }

  /// Returns SQL for a composite or non-integer key in the form of `decant_key`: a JSON array, with bytes as
  /// hexadecimal digits.
  ///
  /// - Parameter values: The columns as SQL names, or parameters.
  /// - Returns: An expression.
  package static func keyText(_ values: [String]) -> String {
    let items = values.map { "CASE typeof(\($0)) WHEN 'blob' THEN hex(\($0)) ELSE \($0) END" }
    return "json_array(\(items.joined(separator: ", ")))"
  }
}

/// A written file that gets its name when the related work is complete.
package protocol PendingFile: AnyObject {
  /// The notes about it for the reader.
  var notes: [ReportNote] { get }
  /// Renames the file to its name, which must not exist.
  func publish() throws(DecantError)
  /// Removes the file.
  func abandon()
}
