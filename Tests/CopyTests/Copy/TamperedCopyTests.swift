import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// A copy that somebody changes before it is proven: it ends with what differs, and publishes nothing.
@Suite struct TamperedCopyTests {
  let kitchens: Kitchens

  init() throws { kitchens = try Kitchens() }

  /// The unfinished file of a new store.
  private var partial: String { kitchens.out + ".decant-partial" }

  /// Copies the kitchen into a new store, and once its proof begins lets `change` at the unfinished file.
  private func copy(rowByRow: Bool, _ change: () throws -> Void) throws -> DecantError? {
    var options = CopyOptions()
    if rowByRow { options.filters = [.init(entity: "Recipe", expression: "1")] }
    var (wasIndexed, wasChanged) = (false, false)
    var failure: (any Error)?
    let error = #expect(throws: DecantError.self) {
      try Copy(from: kitchens.kitchen, to: kitchens.out, options: options).run { event in
        // Before its indexes were made the source was summed up; then the result is read.
        if case .working(.began(.index), _) = event { wasIndexed = true }
        guard case .working(.began(.check), _) = event, wasIndexed else { return }
        wasChanged = true
        do { try change() } catch { failure = error }
      }
    }
    if let failure { throw failure }
    #expect(wasChanged)
    #expect(!FileManager.default.fileExists(atPath: kitchens.out))
    return error
  }

  /// Turns the bit by which small letters and capitals differ, in every place where the file says `word`:
  /// below SQLite, as a disk does, whose locks therefore keep nobody out.
  private func strike(_ word: String, in path: String) throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    defer { try? file.close() }
    let bytes = try #require(try file.readToEnd())
    var start = bytes.startIndex
    var count = 0
    while let place = bytes.range(of: Data(word.utf8), in: start..<bytes.endIndex) {
      try file.seek(toOffset: UInt64(place.lowerBound))
      try file.write(contentsOf: Data([bytes[place.lowerBound] ^ 0x20]))
      start = place.upperBound
      count += 1
    }
    #expect(count > 0)
  }

  @Test(arguments: [false, true])
  func `a letter that is another one on the disk is found before anything is published`(rowByRow: Bool) throws {
    let title = try Program.sqlite3(
      kitchens.kitchen,
      "SELECT ZTITLE FROM ZRECIPE WHERE ZTITLE GLOB '[A-Z]*' ORDER BY length(ZTITLE) DESC LIMIT 1"
    )
    let key = try Program.sqlite3(kitchens.kitchen, "SELECT Z_PK FROM ZRECIPE WHERE ZTITLE = '\(title)'")
    let error = try copy(rowByRow: rowByRow) { try strike(title, in: partial) }
    #expect(error?.family == .failed)
    #expect(error?.message.contains("Recipe p\(key) differs in title") == true, "\(error as Any)")
  }

  @Test(arguments: [false, true])
  func `another program is kept out, or what it changed is found`(rowByRow: Bool) throws {
    for change in [
      "UPDATE ZSTEP SET Z_FOK_RECIPE = Z_FOK_RECIPE + 1 WHERE Z_PK = 4",
      "UPDATE ZINGREDIENT SET ZRECIPE = 3 WHERE Z_PK = 1", "DELETE FROM Z_6TAGS WHERE rowid = 1",
      "UPDATE ZTAG SET Z_PK = 4711 WHERE Z_PK = 6",
    ] {
      var (wasIndexed, wasKeptOut) = (false, false)
      var options = CopyOptions()
      if rowByRow { options.filters = [.init(entity: "Recipe", expression: "1")] }
      do throws(DecantError) {
        try Copy(from: kitchens.kitchen, to: kitchens.out, options: options).run { event in
          if case .working(.began(.index), _) = event { wasIndexed = true }
          guard case .working(.began(.check), _) = event, wasIndexed else { return }
          wasKeptOut = (try? Program.sqlite3(partial, change)) == nil
        }
        // What got through unseen would show here.
        #expect(wasKeptOut, "\(change)")
        #expect(try Verify(kitchens.kitchen, against: kitchens.out).run().isEqual)
        try? FileManager.default.removeItem(atPath: kitchens.out)
      } catch {
        #expect(error.family == .failed && !wasKeptOut, "\(change)")
        #expect(!FileManager.default.fileExists(atPath: kitchens.out))
      }
    }
  }

  /// Triggers of a database that is added to, each of which spoils what is copied in one way.
  static let spoilers = [
    "UPDATE book SET title = title || ' ' WHERE id = new.id",
    "UPDATE book SET title = CAST(title AS BLOB) WHERE id = new.id",
    "UPDATE book SET price = price + 1e-9 WHERE id = new.id",
    "UPDATE book SET shelf = NULL WHERE id = new.id",
    "UPDATE book SET shelf = (SELECT min(id) FROM shelf) WHERE id = new.id",
    "DELETE FROM book WHERE id = new.id",
    "UPDATE book SET id = id + 100 WHERE id = new.id",
    "UPDATE shelf SET label = 'worn' WHERE id = new.shelf",
    "DELETE FROM tagging WHERE book = (SELECT min(book) FROM tagging WHERE book > 3)",
  ]

  @Test(arguments: spoilers)
  func `a trigger that spoils what is copied is told, and nothing is added`(spoiler: String) throws {
    let place = try PlainDatabase()
    let schema = """
      CREATE TABLE shelf (id INTEGER PRIMARY KEY, label TEXT);
      CREATE TABLE tagging (book INTEGER REFERENCES book, tag TEXT);
      CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, price, shelf INTEGER REFERENCES shelf);
      """
    try place.make(
      "a.db",
      schema
        + """
        INSERT INTO shelf VALUES (1, 'top'), (2, 'low');
        INSERT INTO book VALUES (1, 'Soup', 1.5, 2), (2, 'Cake', 2.5, 2), (3, 'Bread', 3.5, 1);
        INSERT INTO tagging VALUES (1, 'hot'), (2, 'sweet');
        """
    )
    try place.make(
      "b.db",
      schema
        + """
        INSERT INTO shelf VALUES (1, 'theirs'); INSERT INTO book VALUES (3, 'Theirs', 1, 1);
        INSERT INTO tagging VALUES (3, 'old');
        CREATE TRIGGER spoils AFTER INSERT ON \(spoiler.contains("tagging") ? "tagging" : "book")
          WHEN new.rowid % 2 = 0 BEGIN \(spoiler); END;
        """
    )
    let tables = ["shelf", "book", "tagging"]
    let before = try tables.map { try place.read("b.db", "SELECT * FROM \($0)") }
    let error = #expect(throws: DecantError.self) { try place.append() }
    #expect(error?.family == .failed)
    #expect(error?.advice?.commandLine.contains("--no-triggers") == true)
    #expect(try tables.map { try place.read("b.db", "SELECT * FROM \($0)") } == before)
  }
}
