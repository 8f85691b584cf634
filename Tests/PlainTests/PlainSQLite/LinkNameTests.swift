import Decant
import StoreTestSupport
import TestSupport
import Testing

/// What happens to a column that nothing declares to be a link if the keys of a table change, by its name and values.
@Suite struct LinkNameTests {
  enum Outcome: Sendable { case stop, note, nothing }

  struct Case: Sendable, CustomTestStringConvertible {
    /// The table that may be meant, its key, and the column.
    let target, key, column: String
    /// The value in row `i`, in SQL.
    let value: String
    let expected: Outcome

    init(
      _ target: String,
      _ column: String,
      _ expected: Outcome,
      key: String = "id",
      value: String = "1 + i % 60"
    ) {
      (self.target, self.key, self.column) = (target, key, column)
      (self.value, self.expected) = (value, expected)
    }

    var table: String { String(column.prefix { $0 != "." }) }
    var testDescription: String { "\(column) with \(value) and \(target).\(key)" }
  }

  /// Rows 1 to 60 of the table that may be meant, and 200 of the column's table if that is another one.
  static let cases: [Case] = [
    // The name is that of the table, or of its key, in another style.
    Case("users", "entry.id_user", .stop), Case("users", "entry.idUser", .stop),
    Case("users", "entry.ref_user", .stop), Case("people", "entry.id_person", .stop),
    Case("files", "entry.idFile", .stop, key: "idFile"), Case("files", "entry.id_file", .stop, key: "idFile"),
    Case("clients", "entry.id_client", .stop, key: "id_client"), Case("Kunden", "entry.Kunde", .stop, key: "KundeNr"),
    Case("Kunden", "entry.kunde_id", .stop, value: "1 + i % 7"),
    // It is the beginning of the table's name.
    Case("folderLocations", "messages.folderID", .stop, value: "1 + i % 6"),
    Case("folderLocations", "messages.folder_count", .nothing, value: "1 + i % 6"),
    // The name of its table says more.
    Case("Keyword", "KeywordImage.tag", .stop), Case("Images", "ImageRelations.subject", .stop, value: "1 + i % 30"),
    Case("Images", "ImageRelations.object", .stop, value: "1 + i % 30"),
    Case("Images", "ImageRelations.source", .nothing, value: "1 + i % 4"),
    Case("Tags", "TagsTree.pid", .stop, value: "i % 6"),
    // Another row of the same table.
    Case("folders", "folders.pid", .stop, value: "i / 5"), Case("folders", "folders.reply_to", .stop, value: "i / 5"),
    Case("folders", "folders.reply_to_id", .stop, value: "i / 5"),
    Case("folders", "folders.in_reply_to", .stop, value: "i / 5"),
    Case("folders", "folders.mother_id", .stop, value: "i / 5"),
    Case("folders", "folders.manager_id", .stop, value: "i / 5"),
    Case("moz_historyvisits", "moz_historyvisits.from_visit", .stop, value: "i / 3"),
    Case("statuses", "statuses.reblog_of", .stop, value: "i / 5"),
    Case("pages", "pages.translation_of", .stop, value: "i / 5"),
    Case("products", "products.variant_of_id", .stop, value: "i / 5"),
    Case("tasks", "tasks.blocked_by", .stop, value: "i / 5"),
    Case("tasks", "tasks.depends_on", .stop, value: "i / 5"),
    Case("revisions", "revisions.based_on", .stop, value: "i / 5"),
    Case("users", "versions.whodunnit", .stop), Case("pages", "pages.number_of", .nothing, value: "1 + i % 60"),
    // Keys of the table only by their values, and numbers that the name says to be something else.
    Case("users", "entry.user_no", .stop), Case("users", "entry.sort_id", .note),
    Case("users", "user_scores.value", .note), Case("users", "user_scores.percent", .nothing, value: "1 + i % 100"),
    Case("users", "user_settings.theme", .nothing, value: "1 + i % 5"), Case("users", "user_settings.position", .note),
    Case("users", "entry.position", .nothing), Case("users", "entry.user_count", .nothing),
    Case("users", "entry.rating", .nothing, value: "1 + i % 5"),
    Case("users", "entry.is_done", .nothing, value: "i % 2"),
    Case("users", "entry.year", .nothing, value: "1960 + i % 60"),
    Case("users", "entry.width", .nothing, value: "i * 7"),
    Case("users", "entry.weight", .nothing), Case("users", "users.original_size", .nothing, value: "1 + i % 8"),
    Case("internalresource", "entry.name_source", .note, value: "1 + i % 4"),
    Case("orders", "orders.items", .nothing, value: "1 + i % 9"), Case("matches", "match_events.minute", .note),
  ]

  @Test(arguments: cases) func `a name and values together decide`(_ given: Case) throws {
    let place = try PlainDatabase()
    let (target, table) = (given.target, given.table)
    let column = given.column.dropFirst(table.count + 1)
    let isOwn = target == table
    var sql =
      "CREATE TABLE \(target) (\(given.key) INTEGER PRIMARY KEY, label TEXT\(isOwn ? ", \(column) INTEGER" : ""));"
    let row = "SELECT i, 'row ' || i\(isOwn ? ", \(given.value)" : "") FROM n;"
    sql += "\(LinkEvidenceTests.numbers(60)) INSERT INTO \(target) \(row)"
    if !isOwn {
      sql += """
        CREATE TABLE \(table) (its_own_key INTEGER PRIMARY KEY, text TEXT, \(column) INTEGER);
        \(LinkEvidenceTests.numbers(200)) INSERT INTO \(table) SELECT 1000 + i, 'text ' || i, \(given.value) FROM n;
        """
    }
    for name in ["a.db", "b.db"] { try place.make(name, sql) }
    var outcome = Outcome.nothing
    var told: [String] = []
    do {
      told = try place.append { $0.isDryRun = true }.notes.commandLine
      if told.contains(where: { $0.contains("\(given.column) (") }) { outcome = .note }
    } catch let error as DecantError {
      told = [error.commandLine]
      if told[0].contains("\(given.column) looks like a foreign key to \(target):") { outcome = .stop }
    }
    #expect(outcome == given.expected, "\(told)")
  }

  @Test(arguments: LinkEvidenceTests.scenes + LinkEvidenceTests.nameScenes)
  func `a suggested file has every column for which a copy stops`(scene: LinkEvidenceTests.Scene) throws {
    let place = try PlainDatabase()
    for name in ["a.db", "b.db"] { try place.make(name, scene.sql) }
    let text = try LinkSuggestion(for: place.path("a.db")).run()
    do {
      try place.append {
        $0.isDryRun = true
        $0.links = scene.strong.compactMap { try? CopyOptions.Link(text: $0) }
      }
    } catch let error as DecantError {
      let columns = error.commandLine.matches(of: #/(\S+) looks like a foreign key/#).map { String($0.output.1) }
      for column in columns { #expect(text.contains(column), "\(error.commandLine)\n\(text)") }
      if columns.isEmpty { Issue.record(error) }
    }
  }
}
