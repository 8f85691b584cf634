internal import DecantBase
internal import DecantStore
internal import DecantSQLite

/// The triggers of a plain database.
struct TriggerList {
  let all: [Trigger]

  /// A trigger.
  struct Trigger {
    let name: String
    /// The table of the trigger.
    let table: String
    /// The CREATE statement, in lower case.
    let sql: String

    /// Whether it is a trigger on DELETE.
    fileprivate var isAtDelete: Bool {
      let words = sql.sqlWords
      return words.firstIndex(of: "delete").map { words.firstIndex(of: "on") == $0 + 1 } ?? false
    }
  }

  /// Reads the triggers of `file`.
  init(_ file: PlainFile) throws(DecantError) {
    all = try explaining("cannot read the triggers of “\(file.database.path)”") {
      () throws(SQLiteError) in
      let connection = try Connection(file.database.uri, mode: .readOnly)
      connection.setBusyTimeout(milliseconds: 5_000)
      var all: [Trigger] = []
      try connection.forEachRow(
        "SELECT tbl_name, sql, name FROM main.sqlite_schema WHERE type = 'trigger' AND sql IS NOT NULL"
      ) { row in
        all.append(
          Trigger(name: row.text(at: 2) ?? "", table: row.text(at: 0) ?? "", sql: (row.text(at: 1) ?? "").foldedName)
        )
      }
      return all
    }
  }

  /// Returns the columns that triggers of other tables set after an INSERT or UPDATE, such as counters.
  ///
  /// This is based on the text of the triggers only.
  ///
  /// - Parameter tables: The tables of the database.
  /// - Returns: The columns as `table.column`, sorted.
  func keptColumns(among tables: [TableSchema]) -> [String] {
    let updates = all.filter { !$0.isAtDelete }.flatMap { trigger in
      trigger.sql.updates.map { (table: trigger.table, words: $0) }
    }
    var found: Set<String> = []
    for table in tables {
      let name = table.name.foldedName.sqlWords + ["set"]
      for update in updates
      where update.words.starts(with: name) && !update.table.isSameName(as: table.name) {
        let rest = update.words.dropFirst(name.count)
        let column = table.columns.first { rest.starts(with: $0.name.foldedName.sqlWords) }
        if let column { found.insert("\(table.name).\(column.name)") }
      }
    }
    return found.sorted()
  }

  /// Returns the triggers that add rows to a table after an INSERT or UPDATE, by the table's name.
  func adding(to tables: [TableSchema]) -> [String: [String]] { names(tables) { $0.adds(to: $1) } }

  /// Returns the triggers that remove rows of a table after an INSERT or UPDATE, by the table's name.
  func removing(from tables: [TableSchema]) -> [String: [String]] { names(tables) { $0.removes(from: $1) } }

  /// Returns the names of the triggers that do something to a table, judging by their texts only.
  private func names(_ tables: [TableSchema], _ does: (String, String) -> Bool) -> [String: [String]] {
    var names: [String: [String]] = [:]
    for trigger in all where !trigger.isAtDelete {
      for table in tables where does(trigger.sql, table.name) { names[table.name, default: []].append(trigger.name) }
    }
    return names
  }

  /// Returns how many triggers in a row lead to each table, from other tables that are written; none for most tables.
  ///
  /// A trigger leads to the tables that its text mentions. Circles end at ten.
  func depths(among tables: [TableSchema]) -> [String: Int] {
    var sources: [String: Set<String>] = [:]
    for table in tables {
      let name = table.name.foldedName
      for trigger in all where !trigger.table.isSameName(as: name) && trigger.sql.mentions(name) {
        sources[name, default: []].insert(trigger.table.foldedName)
      }
    }
    var depths: [String: Int] = [:]
    for _ in 0..<10 {
      let before = depths
      for (name, others) in sources { depths[name] = 1 + (others.map { before[$0] ?? 0 }.max() ?? 0) }
      if depths == before { break }
    }
    return Dictionary(tables.map { ($0.name, depths[$0.name.foldedName] ?? 0) }) { first, _ in first }
  }
}

extension String {
  /// The words and names of a statement, without quotes and punctuation.
  fileprivate var sqlWords: [Substring] {
    split { !($0.isLetter || $0.isNumber || $0 == "_") }
  }

  /// Returns whether the trigger's statements add rows to `table`.
  fileprivate func adds(to table: String) -> Bool { names(table, behind: ["into"]) }

  /// Returns whether the trigger's statements delete rows of `table`.
  fileprivate func removes(from table: String) -> Bool { names(table, behind: ["delete", "from"]) }

  /// Returns whether the trigger's statements read or write `table`.
  fileprivate func mentions(_ table: String) -> Bool { names(table, behind: []) }

  /// Returns whether the trigger's statements have the name of `table` behind these words.
  private func names(_ table: String, behind words: [Substring]) -> Bool {
    let (all, name) = (sqlWords, words + table.foldedName.sqlWords)
    guard let begin = all.firstIndex(of: "begin") else { return false }
    return all.indices.dropFirst(begin + 1).contains { all[$0...].starts(with: name) }
  }

  /// The words after each UPDATE in a trigger's statements: the table, SET, the column, and more.
  fileprivate var updates: [ArraySlice<Substring>] {
    let words = sqlWords
    guard let begin = words.firstIndex(of: "begin") else { return [] }
    return words.indices.dropFirst(begin + 2).compactMap { place in
      let isAfter = words[place - 1] == "update" && words[place] != "or"
      let isBehindConflict =
        place > begin + 3 && words[place - 2] == "or" && words[place - 3] == "update"
      return isAfter || isBehindConflict ? words[place...] : nil
    }
  }
}
