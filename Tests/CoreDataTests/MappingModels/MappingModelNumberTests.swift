import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import DecantCoreData

/// What mapping models do to links that lead to another number of objects afterwards.
@Suite struct MappingModelNumberTests {
  /// How many objects a relationship leads to, and what leads back.
  private static func link(_ name: String, to entity: String, _ inverse: String?, isToMany: Bool) -> String {
    let number = isToMany ? "toMany=\"YES\"" : "maxCount=\"1\""
    let back = inverse.map { "inverseName=\"\($0)\"" } ?? ""
    return
      "<relationship name=\"\(name)\" optional=\"YES\" \(number) destinationEntity=\"\(entity)\" \(back)/>"
  }

  private static func entity(_ name: String, _ links: String) -> String {
    "<entity name=\"\(name)\"><attribute name=\"n\" optional=\"YES\" attributeType=\"String\"/>\(links)</entity>"
  }

  /// Books of one author each.
  private static let oneToMany =
    entity("Author", link("books", to: "Book", "author", isToMany: true))
    + entity("Book", link("author", to: "Author", "books", isToMany: false))
  /// Books of several authors.
  private static let manyToMany =
    entity("Author", link("works", to: "Book", "writers", isToMany: true))
    + entity("Book", link("writers", to: "Author", "works", isToMany: true))
  private static let names = """
    INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT, ZN) VALUES (1, 1, 1, 'a1'), (2, 1, 1, 'a2'), (3, 1, 1, 'a3');
    INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZN) VALUES (1, 2, 1, 'b1'), (2, 2, 1, 'b2'), (5, 2, 1, 'b5'), (6, 2, 1, 'b6');
    """

  private static func mappings(author: String, book: String) -> String {
    """
    [{'name': 'AToA', 'source': 'Author', 'destination': 'Author', 'attributes': {'n': path('n')},
      'relationships': {\(author)}},
     {'name': 'BToB', 'source': 'Book', 'destination': 'Book', 'attributes': {'n': path('n')},
      'relationships': {\(book)}}]
    """
  }

  /// The rows of the table of links of the made store, by the names of what they join.
  private func links(_ step: MadeStep) throws -> [String] {
    let table = try Program.sqlite3(
      step.made,
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'Z_[0-9]*'"
    )
    let columns = try Program.sqlite3(step.made, "SELECT name FROM pragma_table_info('\(table)')")
      .split(separator: "\n")
    // Each column is named after the relationship that leads to what its keys are of.
    let books = try #require(columns.first { $0.hasSuffix("WORKS") })
    let authors = try #require(columns.first { $0.hasSuffix("WRITERS") })
    return try step.rows(
      """
      SELECT a.ZN, b.ZN FROM \(table) j JOIN ZAUTHOR a ON a.Z_PK = j.\(authors)
      JOIN ZBOOK b ON b.Z_PK = j.\(books) ORDER BY 1, 2
      """
    )
  }

  @Test(arguments: [
    // Both directions, as Xcode writes them, and either one.
    ("'works': through('BToB', path('books'))", "'writers': through('AToA', path('author'))"),
    ("'works': related('books', path('books'))", ""),
    ("", "'writers': related('author', path('author'))"),
    ("'works': None", "'writers': through('AToA', path('author'))"),
  ])
  func `links of one to many become links of many to many`(_ author: String, _ book: String) throws {
    let step = try MadeStep(
      Self.oneToMany,
      Self.manyToMany,
      rows: Self.names
        + "UPDATE ZBOOK SET ZAUTHOR = CASE Z_PK WHEN 5 THEN 3 ELSE 1 END WHERE Z_PK < 6",
      Self.mappings(author: author, book: book)
    )
    let report = try step.copy()
    #expect(try links(step) == ["'a1','b1'", "'a1','b2'", "'a3','b5'"])
    #expect(report.links.copied == 3)
    #expect(try step.conversion().lostProperties == [])
  }

  @Test(arguments: [
    ("'works': through('BToB', path('book'))", "'writers': through('AToA', path('author'))"),
    ("'works': through('BToB', path('book'))", ""),
    ("", "'writers': through('AToA', path('author'))"),
  ])
  func `links of one to one become links of many to many`(_ author: String, _ book: String) throws {
    let step = try MadeStep(
      Self.entity("Author", Self.link("book", to: "Book", "author", isToMany: false))
        + Self.entity("Book", Self.link("author", to: "Author", "book", isToMany: false)),
      Self.manyToMany,
      rows: Self.names + """
        UPDATE ZBOOK SET ZAUTHOR = 3 WHERE Z_PK = 5; UPDATE ZAUTHOR SET ZBOOK = 5 WHERE Z_PK = 3;
        UPDATE ZBOOK SET ZAUTHOR = 1 WHERE Z_PK = 2; UPDATE ZAUTHOR SET ZBOOK = 2 WHERE Z_PK = 1
        """,
      Self.mappings(author: author, book: book)
    )
    try step.copy()
    #expect(try links(step) == ["'a1','b2'", "'a3','b5'"])
  }

  @Test(arguments: [
    ("'works': through('BToB', path('book'))", "'writer': through('AToA', path('author'))"),
    ("'works': through('BToB', path('book'))", ""),
    ("", "'writer': through('AToA', path('author'))"),
  ])
  func `links of one to one become links of one to many`(_ author: String, _ book: String) throws {
    let step = try MadeStep(
      Self.entity("Author", Self.link("book", to: "Book", "author", isToMany: false))
        + Self.entity("Book", Self.link("author", to: "Author", "book", isToMany: false)),
      Self.entity("Author", Self.link("works", to: "Book", "writer", isToMany: true))
        + Self.entity("Book", Self.link("writer", to: "Author", "works", isToMany: false)),
      rows: Self.names + """
        UPDATE ZBOOK SET ZAUTHOR = 3 WHERE Z_PK = 5; UPDATE ZAUTHOR SET ZBOOK = 5 WHERE Z_PK = 3
        """,
      Self.mappings(author: author, book: book)
    )
    try step.copy()
    #expect(
      try step.rows("SELECT ZN, ZWRITER FROM ZBOOK ORDER BY 1")
        == ["'b1',NULL", "'b2',NULL", "'b5',3", "'b6',NULL"]
    )
  }

  @Test func `a link to which nothing led back becomes one of many to many`() throws {
    let step = try MadeStep(
      Self.entity("Author", "")
        + Self.entity("Book", Self.link("author", to: "Author", nil, isToMany: false)),
      Self.manyToMany,
      rows: Self.names + "UPDATE ZBOOK SET ZAUTHOR = 2 WHERE Z_PK IN (1, 6)",
      Self.mappings(author: "", book: "'writers': through('AToA', path('author'))")
    )
    try step.copy()
    #expect(try links(step) == ["'a2','b1'", "'a2','b6'"])
  }

  private static let start = "“Step.cdm” has mappings that decant does not support: "

  @Test(arguments: [
    (
      entity("Author", link("book", to: "Book", "writers", isToMany: false))
        + entity("Book", link("writers", to: "Author", "book", isToMany: true)),
      "'book': through('BToB', path('works'))",
      "AToA sets Author.book from Author.works, which is to-many, so the target is not defined"
    ),
    (
      entity("Author", link("books", to: "Book", "writer", isToMany: true))
        + entity("Book", link("writer", to: "Author", "books", isToMany: false)),
      "'books': through('BToB', path('works'))",
      "AToA sets Author.books from Author.works, through which several objects may have the same target, but Book.writer "
        + "is to-one"
    ),
    (
      entity("Author", link("books", to: "Book", nil, isToMany: true)) + entity("Book", ""),
      "'books': through('BToB', path('works'))",
      "AToA sets Author.books from Author.works, which has the inverse writers, but now needs none"
    ),
  ])
  func `what would lead to fewer is refused with the reason`(
    _ new: String,
    _ author: String,
    _ message: String
  ) throws {
    let step = try MadeStep(Self.manyToMany, new, rows: "", Self.mappings(author: author, book: ""))
    let error = try #require(#expect(throws: DecantError.self) { try step.conversion() })
    #expect(error.family == .modelMismatch)
    #expect(error.message == Self.start + message)
    #expect(error.advice?.commandLine.contains("--mapping") == true)
  }
}
