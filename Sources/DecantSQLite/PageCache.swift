internal import CDecantSQLite
internal import Synchronization

/// The memory limit of SQLite's page caches in the whole process.
///
/// With SQLite's default of 2 MB per database, nearly every row with a random position in an index causes a page of it
/// to be written again. The limit is divided among the databases of a copy: the one that is written gets 5/16, sorting
/// new indexes gets the same, each database that is read gets 1/8, and so does the temporary one. Memory is used only
/// as pages are cached.
package enum PageCache {
  /// The default limit: 64 MiB.
  package static let standardLimit: Int64 = 64 << 20

  /// The smallest limit, which still holds a few hundred pages of each database: 1 MiB.
  package static let smallestLimit: Int64 = 1 << 20

  private static let chosen = Atomic<Int64>(standardLimit)

  /// The limit in bytes, for connections that are opened from now on.
  package static var limit: Int64 {
    get { chosen.load(ordering: .relaxed) }
    set { chosen.store(max(newValue, smallestLimit), ordering: .relaxed) }
  }

  /// The cache of a database that is written, in KiB.
  static var writtenPart: Int64 { limit / 1024 * 5 / 16 }

  /// The cache of a database that is read, or of the temporary one, in KiB.
  static var readPart: Int64 { limit / 1024 / 8 }
}

extension Connection {
  /// The size, in bytes, of the pages of a temporary database.
  ///
  /// Its rows are written once and read in order: with larger pages SQLite makes fewer system calls.
  package static let temporaryPageSize: Int64 = 16_384

  /// The number of pages read from files so far, of all databases; a page that was evicted counts again.
  package var readPageCount: Int64 {
    var (count, highest) = (Int32(0), Int32(0))
    sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_MISS, &count, &highest, 0)
    return Int64(count)
  }

  /// Sets the page caches of `main`, which is written, and of the temporary database.
  ///
  /// Reads the schema: settings that must come first, such as the encoding, must be set before.
  package func takeCacheForWriting() throws(SQLiteError) {
    try run("PRAGMA main.cache_size = -\(PageCache.writtenPart)")
    try run("PRAGMA temp.cache_size = -\(PageCache.readPart)")
  }

  /// Sets the page caches of all databases for rows in the order of their keys, for which few pages are enough.
  ///
  /// Measured with 1.75 million rows and twice the size: a small part of the memory, and no more time.
  package func takeCachesForOrder() throws(SQLiteError) {
    var names: Set = ["main", "temp"]
    try forEachRow("SELECT name FROM pragma_database_list") { names.insert($0.text(at: 0) ?? "main") }
    for name in names { try run("PRAGMA \(name.sqlName).cache_size = -\(PageCache.limit / 1024 / 256)") }
  }

  /// Sets the page cache of `schema`, which is read, unless it is larger already.
  package func takeCacheForReading(_ schema: String) throws(SQLiteError) {
    let cache = "PRAGMA \(schema.sqlName).cache_size"
    // A negative value is in KiB; a positive one, in pages, is never set here.
    guard try integer(cache) ?? 0 > -PageCache.readPart else { return }
    try run("\(cache) = -\(PageCache.readPart)")
  }
}
