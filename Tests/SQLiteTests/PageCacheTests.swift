import Foundation
import DecantSQLite
import TestSupport
import Testing

@Suite struct PageCacheTests {
  @Test func `the parts of all databases of a copy are the limit at the most`() throws {
    let folder = try TemporaryFolder()
    let connection = try Connection(folder.path("main.db"), mode: .create)
    try connection.run("CREATE TABLE t (a)")
    try connection.takeCacheForWriting()
    for schema in ["source", "other"] {
      try connection.attach(folder.path("\(schema).db"), as: schema)
    }
    let parts = try ["main", "temp", "source", "other"].map {
      try connection.integer("PRAGMA \($0).cache_size") ?? 0
    }
    // In KiB, below 0 as SQLite's documentation has it; a sorter takes as much as `main` again.
    #expect(parts.allSatisfy { $0 < -2_000 })
    #expect(-(parts.reduce(0, +) + parts[0]) * 1024 <= PageCache.limit)
  }

  @Test func `the encoding and the page size that were set before are a new database's`() throws {
    let folder = try TemporaryFolder()
    let connection = try Connection(folder.path("new.db"), mode: .create)
    try connection.run("PRAGMA encoding = 'UTF-16le'")
    try connection.takeCacheForWriting()
    try connection.run("PRAGMA main.page_size = 16384")
    try connection.run("CREATE TABLE t (a)")
    #expect(try connection.text("PRAGMA encoding") == "UTF-16le")
    #expect(try Program.sqlite3(folder.path("new.db"), "PRAGMA page_size") == "16384")
  }
}
