import Foundation
import TestSupport
import Testing

/// Parameters of `decant query`, and where its statement comes from.
@Suite struct QueryParameterTests {
  private let folder: CommandFolder

  init() throws { folder = try CommandFolder() }

  private func query(_ sql: String, _ options: String...) throws -> Program {
    try folder.run(["query", "Kitchen.sqlite", sql] + options)
  }

  /// What is written, and the literal that says the same to the `sqlite3` program.
  @Test(arguments: [
    ("5", "5"), ("-5", "-5"), ("0", "0"), ("-0.5", "-0.5"), ("1e3", "1e3"),
    ("9223372036854775807", "9223372036854775807"),
    ("9223372036854775808", "'9223372036854775808'"), ("007", "'007'"), ("+49", "'+49'"),
    ("1e999", "'1e999'"), (".5", "'.5'"), ("1.", "'1.'"), ("0x10", "'0x10'"), ("1 ", "'1 '"),
    ("", "''"), ("abc", "'abc'"), ("2026-01-31", "'2026-01-31'"), ("a=b", "'a=b'"),
    ("'5'", "'5'"), ("'it''s'", "'it''s'"), ("'it's'", "'''it''s'''"), ("'tis", "'''tis'"),
    ("''", "''"), ("null", "NULL"), ("'NULL'", "'NULL'"), ("TRUE", "TRUE"), ("false", "FALSE"),
    ("x'00fF'", "x'00ff'"), ("X''", "x''"), ("x'0'", "'x''0'''"), ("Käse 🧀", "'Käse 🧀'"),
    ("1); DROP TABLE ZTAG; --", "'1); DROP TABLE ZTAG; --'"),
  ])
  func `the type of a value follows from how it is written`(_ text: String, _ literal: String) throws {
    let run = try query("SELECT typeof(:v) AS t, quote(:v) AS q", "-p", "v=\(text)", "--jsonl")
    #expect(run.status == 0, "\(run.errors)")
    let row = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: String]
    let expected = try Program.sqlite3(
      folder.folder.path("Kitchen.sqlite"),
      "SELECT json_object('t', typeof(\(literal)), 'q', quote(\(literal)))"
    )
    let object = try JSONSerialization.jsonObject(with: Data(expected.utf8)) as? [String: String]
    #expect(row == object)
    #expect(row != nil)
  }

  @Test func `a name stands for each of the three signs, or for the one that it has`() throws {
    let all = try query(
      "SELECT :a || @a || $a || :b || ?7 || @c::d AS x",
      "--parameter",
      "a=1",
      "-p",
      ":b='2'",
      "-p",
      "7=x",
      "-p",
      "c::d=y",
      "--csv"
    )
    #expect(all.output == "x\n1112xy\n", "\(all.errors)")
    let two = try query("SELECT :a || @a AS x", "-p", ":a=1", "-p", "@a=2", "--csv")
    #expect(two.output == "x\n12\n")
    let bare = try query("SELECT ? || '-' || ? AS x", "-p", "1=b", "-p", "2=a", "--csv")
    #expect(bare.output == "x\nb-a\n")
    // Neither in a text nor in a comment is there a parameter.
    #expect(try query("SELECT ':a' AS x -- :b\n /* @c */", "--csv").output == "x\n:a\n")
  }

  @Test func `rows are found by parameters as by what is written in their place`() throws {
    let run = try query(
      "SELECT title FROM Recipe WHERE rating >= :least AND createdAt < date_value($until) ORDER BY 1",
      "-p",
      "least=4",
      "-p",
      "until=2019-01-01",
      "--csv"
    )
    let expected = try Program.sqlite3(
      folder.folder.path("Kitchen.sqlite"),
      """
      SELECT ZTITLE FROM ZRECIPE WHERE ZRATING >= 4
        AND ZCREATEDAT < unixepoch('2019-01-01') - 978307200 ORDER BY 1
      """
    )
    #expect(!expected.isEmpty)
    #expect(run.output == "title\n\(expected)\n", "\(run.errors)")
  }

  @Test(arguments: [
    (["SELECT :who"], "no value for the parameter :who", "pass one: -p who=VALUE"),
    (["SELECT ?1, ?2", "-p", "1=a"], "no value for the parameter ?2", "-p 2=VALUE"),
    (["SELECT :a", "-p", "a=1", "-p", "b=1"], "has no parameter b, only :a", "write a parameter in SQL as :name"),
    (["SELECT 1", "-p", "b=1"], "it has no parameter b", "write a parameter in SQL as :name"),
    (["SELECT :a", "-p", "@a=1"], "no value for the parameter :a", ""),
    (["SELECT :a", "-p", "a"], "'-p a' has no value", "write -p NAME=VALUE"),
    (["SELECT :a", "-p", "=a"], "'-p =a' has no value", ""),
    (["SELECT :a", "-p", "a=1", "-p", "a=2"], "sets a twice", ""),
    (
      ["SELECT 1 FROM Recipe WHERE createdAt > :createdAt", "-p", "createdAt=2020-01-01"],
      "createdAt holds dates, stored as numbers", "write date_value(:createdAt)"
    ),
    (
      ["SELECT 1 FROM Recipe WHERE $u = uuid", "-p", "u=none"],
      "uuid holds UUIDs", "write uuid_value($u), and give it a value like 5099F3F1-"
    ),
  ])
  func `a parameter too many or too few is said`(_ arguments: [String], _ message: String, _ remedy: String) throws {
    let run = try folder.run(["query", "Kitchen.sqlite"] + arguments)
    #expect(run.status == 64)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains(message), "\(run.errors)")
    #expect(remedy.isEmpty || run.errors.contains(remedy), "\(run.errors)")
  }

  @Test(arguments: [
    "SELECT 1 AS x;", "SELECT 1 AS x; -- done", "SELECT 1 AS x;; /* done; */ ;", "; SELECT 1 AS x",
    "-- first; this\nSELECT 1 AS x /* and; */ -- that", "SELECT 1 AS x -- ; no line end",
  ])
  func `semicolons and comments around one statement are no second one`(_ sql: String) throws {
    // Behind -- what begins with a comment is no option.
    let run = try folder.run(["query", "Kitchen.sqlite", "--csv", "--", sql])
    #expect(run.output == "x\n1\n", "\(run.errors)")
  }

  @Test(arguments: [
    "SELECT 1; SELECT 2", "SELECT 1; DELETE FROM Tag", "SELECT 1;; ; SELECT 2 --",
    "SELECT ';' /* ; */; VALUES (1)", "SELECT 1; x",
  ])
  func `a second statement is refused`(_ sql: String) throws {
    try folder.expect(["query", "Kitchen.sqlite", sql], 64, "more than one statement")
  }

  @Test func `the statement may come from standard input`() throws {
    func piped(_ input: String, _ options: String = "--csv") throws -> Program {
      try Program.run(
        ["bash", "-c", "printf \"$1\" | \"$0\" query Kitchen.sqlite - \(options)"]
          + [DecantProgram.path, input],
        in: folder.url
      )
    }
    let run = try piped("SELECT count(*) AS n -- all\\nFROM Recipe WHERE rating > :r;\\n", "-p r=1 --tsv")
    let count = try Program.sqlite3(
      folder.folder.path("Kitchen.sqlite"),
      "SELECT count(*) FROM ZRECIPE WHERE ZRATING > 1"
    )
    #expect(run.output == "n\n\(count)\n", "\(run.errors)")
    #expect(try piped("").status == 64)
    let bytes = try piped("SELECT \\377")
    #expect(bytes.status == 64)
    #expect(bytes.errors.contains("not UTF-8 text"))
  }
}
