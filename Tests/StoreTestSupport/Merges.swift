package import Decant
internal import Foundation
package import TestSupport

/// Two databases of one schema in a folder of a test's own, and how one is merged into the other.
package struct Merges {
  package let place: PlainDatabase
  package var folder: TemporaryFolder { place.folder }
  package var mine: String { place.path("mine.db") }
  package var theirs: String { place.path("theirs.db") }

  /// Makes both with the `sqlite3` program.
  package init(_ schema: String, mine: String, theirs: String) throws {
    place = try PlainDatabase()
    try place.make("mine.db", schema + ";" + mine)
    try place.make("theirs.db", schema + ";" + theirs)
  }

  /// Merges theirs into mine, and returns the report.
  @discardableResult
  package func merge(
    _ policy: MergePolicy = .skip,
    _ configure: (inout MergeRules) -> Void = { _ in },
    options change: (inout CopyOptions) -> Void = { _ in }
  ) throws -> CopyReport {
    var rules = MergeRules(policy)
    configure(&rules)
    var options = CopyOptions()
    options.merge = rules
    options.purpose = .merge
    change(&options)
    return try Copy(from: theirs, to: mine, options: options).run()
  }

  /// The rows that a query of mine gives, as SQL literals.
  package func rows(_ sql: String) throws -> [String] { try place.read("mine.db", sql) }

  /// Everything that mine holds, as SQL.
  package func dump() throws -> String { try place.dump("mine.db") }

  /// What SQLite has to say of mine: nothing, if all is well.
  package func complaints() throws -> String { try place.complaints("mine.db") }
}
