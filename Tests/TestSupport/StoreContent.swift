import Foundation

/// What a Core Data store holds, read with the `sqlite3` program and nothing of decant's.
///
/// Objects are told by their values, links by the values at both ends, so that stores can be compared
/// whatever keys they use. Each is counted: a store poured into another must give the sum of both.
public struct StoreContent: Equatable {
  /// How often each object occurs: entity number, every value, positions in ordered lists.
  public private(set) var objects: [String: Int] = [:]
  /// How often each link occurs: relationship, content of its two ends.
  public private(set) var links: [String: Int] = [:]

  /// A relationship that is stored as a key.
  public struct Link {
    let table: String
    let column: String
    let target: String

    /// - Parameters:
    ///   - table: The table that holds the key.
    ///   - column: The column that holds it.
    ///   - target: The table it leads to.
    public init(_ table: String, _ column: String, _ target: String) {
      self.table = table
      self.column = column
      self.target = target
    }
  }

  /// A table of many-to-many links: its two key columns and where they lead.
  public struct Join {
    let table: String
    let ends: [(column: String, target: String)]

    public init(_ table: String, _ first: (String, String), _ second: (String, String)) {
      self.table = table
      ends = [first, second]
    }
  }

  /// Reads the store at `path`; `tables` hold objects, `links` and `joins` say what keys mean.
  public init(_ path: String, tables: [String], links: [Link], joins: [Join] = []) throws {
    var contents: [String: [String: String]] = [:]
    for table in tables {
      let keys = Set(links.filter { $0.table == table }.map(\.column) + ["Z_PK", "Z_OPT"])
      let columns = try Program.sqlite3(path, "SELECT name FROM pragma_table_info('\(table)')")
        .split(separator: "\n").map(String.init).filter { !keys.contains($0) }
      let values = columns.map { column in
        """
        CASE typeof("\(column)") WHEN 'text' THEN 't' || hex("\(column)")
        WHEN 'blob' THEN 'b' || hex("\(column)") ELSE quote("\(column)") END
        """
      }
      let sql = "SELECT Z_PK, \(values.joined(separator: " || ',' || ")) FROM \(table)"
      for line in try Program.sqlite3(path, sql).split(separator: "\n") {
        let parts = line.split(separator: "|", maxSplits: 1).map(String.init)
        contents[table, default: [:]][parts[0]] = "\(table):\(parts[1])"
        objects["\(table):\(parts[1])", default: 0] += 1
      }
    }
    for link in links {
      let sql = "SELECT Z_PK, \(link.column) FROM \(link.table) WHERE \(link.column) IS NOT NULL"
      for line in try Program.sqlite3(path, sql).split(separator: "\n") {
        let keys = line.split(separator: "|").map(String.init)
        let ends = [contents[link.table]?[keys[0]], contents[link.target]?[keys[1]]]
        self.links["\(link.column): \(ends.map { $0 ?? "nothing" })", default: 0] += 1
      }
    }
    for join in joins {
      let columns = join.ends.map(\.column).joined(separator: ", ")
      for line in try Program.sqlite3(path, "SELECT \(columns) FROM \(join.table)")
        .split(separator: "\n")
      {
        let keys = line.split(separator: "|").map(String.init)
        let ends = zip(join.ends, keys).map { contents[$0.target]?[$1] ?? "nothing" }
        self.links["\(join.table): \(ends)", default: 0] += 1
      }
    }
  }

  /// The content of both stores together.
  public static func + (one: StoreContent, other: StoreContent) -> StoreContent {
    var sum = one
    sum.objects.merge(other.objects, uniquingKeysWith: +)
    sum.links.merge(other.links, uniquingKeysWith: +)
    return sum
  }

  /// Whether some link leads nowhere.
  public var hasDanglingLink: Bool { links.keys.contains { $0.contains("\"nothing\"") } }
}
