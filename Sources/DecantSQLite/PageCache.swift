internal import CDecantSQLite
internal import Synchronization

/// How much memory SQLite may take to keep pages of databases, in the whole process.
///
/// SQLite's own default of 2 MB for each database makes it write a page of an index again for nearly every
/// row whose place in the index is random. The limit is divided by what a copy has open: the database that is
/// written gets 5/16, as much again is for sorting new indexes, and what is read gets 1/8 for each
/// database, as does the temporary one. Memory is taken only as far as there are pages to keep.
public enum PageCache {
  /// What the limit is unless something else is set: 64 MiB.
  public static let standardLimit: Int64 = 64 << 20

  /// The smallest limit, at which SQLite still has a few hundred pages of each database: 1 MiB.
  public static let smallestLimit: Int64 = 1 << 20

  private static let chosen = Atomic<Int64>(standardLimit)

  /// The limit in bytes, for connections that are opened from now on.
  public static var limit: Int64 {
    get { chosen.load(ordering: .relaxed) }
    set { chosen.store(max(newValue, smallestLimit), ordering: .relaxed) }
  }

  /// The part of a database that is written, in KiB.
  static var writtenPart: Int64 { limit / 1024 * 5 / 16 }

  /// The part of a database that is read, or that is temporary, in KiB.
  static var readPart: Int64 { limit / 1024 / 8 }
}

extension Connection {
  /// How many pages were read from files so far, of all databases; one that the cache has lost counts again.
  public var readPageCount: Int64 {
    var (count, highest) = (Int32(0), Int32(0))
    sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_MISS, &count, &highest, 0)
    return Int64(count)
  }

  /// Gives `main`, which is to be written, and the temporary database their parts of the memory for pages.
  ///
  /// Reads the schema: what has to be set before that, such as the encoding, must be set already.
  public func takeCacheForWriting() throws(SQLiteError) {
    try run("PRAGMA main.cache_size = -\(PageCache.writtenPart)")
    try run("PRAGMA temp.cache_size = -\(PageCache.readPart)")
  }

  /// Gives `schema`, which is read, its part of the memory for pages, unless it has more.
  public func takeCacheForReading(_ schema: String) throws(SQLiteError) {
    let cache = "PRAGMA \(schema.sqlName).cache_size"
    // Below 0 it counts in KiB, else in pages, which nobody here has set.
    guard try integer(cache) ?? 0 > -PageCache.readPart else { return }
    try run("\(cache) = -\(PageCache.readPart)")
  }
}
