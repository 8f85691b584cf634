import Decant
import Testing

/// A write, and what SQLite reads afterwards.
struct WriteCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let sql: String
  let expected: String
  let write: @Sendable (WriteBlock) throws -> Void

  init(_ name: String, _ sql: String, _ expected: String, _ write: @escaping @Sendable (WriteBlock) throws -> Void) {
    (testDescription, self.sql, self.expected, self.write) = (name, sql, expected, write)
  }
}
