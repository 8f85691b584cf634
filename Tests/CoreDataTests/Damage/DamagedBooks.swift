import Foundation
import TestSupport

/// What a store says of its own model, and whether its structure is sound, as the `sqlite3` program reads it.
///
/// The judge of “the model does not fit”: that is the right answer only to a store whose books are
/// others than they were, and whose file is sound; else the answer is that the file is damaged.
struct DamagedBooks: Equatable {
  /// The entities, the metadata and the model in the store; an error where one cannot be read.
  let content: String
  /// Whether SQLite finds every page where it belongs.
  let isSound: Bool
  /// Whether nothing is left: the log held everything, and was cut before its first change ended.
  let isEmpty: Bool

  init(of path: String) throws {
    content = DamagedBooks.text(
      path,
      """
      SELECT * FROM Z_PRIMARYKEY; SELECT * FROM Z_METADATA; SELECT * FROM Z_MODELCACHE;
      SELECT name, sql FROM sqlite_schema
      """
    )
    isEmpty = DamagedBooks.text(path, "SELECT count(*) FROM sqlite_schema") == "0"
    isSound = DamagedBooks.text(path, "PRAGMA quick_check") == "'ok'"
  }

  private static func text(_ path: String, _ sql: String) -> String {
    do {
      return try Program.sqlite3(path, sql, isQuoted: true)
    } catch {
      // What cannot be read is other than it was; the comparison needs no more.
      return "\(error)"
    }
  }

  /// Whether a store that was `whole` may rightly be told not to fit its model.
  func explainModelMismatch(whole: DamagedBooks?) -> Bool {
    isSound && content != whole?.content
  }
}
