import Decant
import Foundation
import TestSupport

/// Two databases of one schema in a folder of a test's own, and how one is merged into the other.
struct Merges {
  let place: PlainDatabase
  var folder: TemporaryFolder { place.folder }
  var mine: String { place.path("mine.db") }
  var theirs: String { place.path("theirs.db") }

  /// Makes both with the `sqlite3` program.
  init(_ schema: String, mine: String, theirs: String) throws {
    place = try PlainDatabase()
    try place.make("mine.db", schema + ";" + mine)
    try place.make("theirs.db", schema + ";" + theirs)
  }

  /// Merges theirs into mine, and returns the report.
  @discardableResult
  func merge(
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
  func rows(_ sql: String) throws -> [String] { try place.read("mine.db", sql) }

  /// Everything that mine holds, as SQL.
  func dump() throws -> String { try place.dump("mine.db") }

  /// What SQLite has to say of mine: nothing, if all is well.
  func complaints() throws -> String { try place.complaints("mine.db") }
}
