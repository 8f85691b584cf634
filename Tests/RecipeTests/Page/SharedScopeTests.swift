import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// What is shared, and what does not leave.
@Suite struct SharedScopeTests {
  private let files: SharedFiles

  init() throws { files = try SharedFiles.kitchen() }

  @Test func `one recipe comes with its parts and with nothing else`() throws {
    let report = try files.writePage(SharedScope(objects: [SharedObject("Recipe", 1)]))
    let page = try files.readPage()
    page.checkHarmless()
    let parts = try Program.sqlite3(
      files.store,
      """
      SELECT 1 + (SELECT count(*) FROM ZSTEP WHERE ZRECIPE = 1)
        + (SELECT count(*) FROM ZINGREDIENT WHERE ZRECIPE = 1)
        + (SELECT count(*) FROM ZIMAGE WHERE ZRECIPE = 1 OR ZCOVEROF = 1
           OR ZSTEP IN (SELECT Z_PK FROM ZSTEP WHERE ZRECIPE = 1))
      """
    )
    #expect(report.objectCount == Int64(parts))
    let others = try files.column("SELECT ZTITLE FROM ZRECIPE WHERE Z_PK <> 1")
    for title in others { #expect(!page.text.contains(title), "\(title)") }
    #expect(page.titles.first == "Beetroot Soup with Dill")
  }

  @Test func `several are in the order in which they are named`() throws {
    let objects = [12, 3, 8].map { SharedObject("Recipe", $0) }
    try files.writePage(SharedScope(objects: objects), title: "For Ada")
    let page = try files.readPage()
    page.checkHarmless()
    let titles = try [12, 3, 8].flatMap {
      try files.column("SELECT ZTITLE FROM ZRECIPE WHERE Z_PK = \($0)")
    }
    #expect(page.titles.filter(titles.contains) == titles)
    #expect(page.titles.first == "For Ada")
  }

  @Test func `what is hidden is on neither page nor mail, what is named only by name`() throws {
    let scope = SharedScope(
      objects: [SharedObject("Recipe", 1)],
      leavingOut: [
        Property("Recipe", "rating"), Property("Recipe", "tags"), Property("Recipe", "author"),
      ],
      visibility: { object throws(DecantError) in
        switch object.entity {
        case "Category": .named
        case "Image": .hidden
        case "Ingredient": object.key == 1 ? .hidden : .shown
        default: .shown
        }
      }
    )
    let report = try files.writePage(scope)
    try files.writeMail(scope)
    let page = try files.readPage()
    page.checkHarmless()
    let mail = try MailContent(files)
    #expect(report.pictureCount == 0 && page.pictures.isEmpty && mail.pictures.isEmpty)
    for text in [page.text + page.scripts.map(\.text).joined(), mail.plain, mail.html] {
      #expect(text.contains("Soups"))
      #expect(!text.contains("Marta") && !text.contains("Rating") && !text.contains("vegetarian"))
      #expect(!text.contains("with leaves, if they are fresh"))
      #expect(text.contains("waxy potatoes"))
    }
  }

  @Test func `without objects the filter still holds`() throws {
    let scope = SharedScope(visibility: { object throws(DecantError) in
      object.entity == "Recipe" && object.key > 2 ? .hidden : .shown
    })
    try files.writePage(scope)
    let page = try files.readPage()
    page.checkHarmless()
    for title in try files.column("SELECT ZTITLE FROM ZRECIPE WHERE Z_PK > 2") {
      #expect(!page.text.contains(title), "\(title)")
    }
    #expect(page.words.contains("2 recipes"))
  }

  @Test func `an object that is not there is named`() throws {
    for object in [SharedObject("Recipe", 5), SharedObject("Rezept", 1)] {
      let error = #expect(throws: DecantError.self) {
        try files.writePage(SharedScope(objects: [object]))
      }
      #expect(error?.family == .usage)
      #expect(error?.message == "there is no \(object.entity) with the key \(object.key)")
    }
  }

  @Test func `what takes the bytes and what gives the archive may fail`() throws {
    let source = try StoreKinds.known.openSource(StoreKinds.location(files.store), options: CopyOptions())
    let failure = DecantError(.diskFull, "the disk is full")
    let taken = #expect(throws: DecantError.self) {
      try SharedPage(of: source).write { _ throws(DecantError) in throw failure }
    }
    #expect(taken?.message == failure.message)
    let given = #expect(throws: DecantError.self) {
      try SharedPage(of: source).write(archive: { _ throws(DecantError) in throw failure }) {
        _ throws(DecantError) in
      }
    }
    #expect(given?.message == failure.message)
  }

  @Test func `an empty store says so`() throws {
    let tables = ["ZRECIPE", "ZSTEP", "ZINGREDIENT", "ZIMAGE", "ZTAG", "ZCATEGORY", "Z_6TAGS"]
    _ = try Program.sqlite3(files.store, tables.map { "DELETE FROM \($0);" }.joined())
    let report = try files.writePage()
    #expect(report.objectCount == 0)
    #expect(try files.readPage().words.contains("There are no objects to show."))
    try files.writeMail()
    #expect(try MailContent(files).plain.contains("There are no objects to show."))
  }
}
