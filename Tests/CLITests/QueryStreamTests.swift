import Foundation
import TestSupport
import Testing

/// Where the rows of `decant query` go: into pipes that close, and onto terminals.
@Suite struct QueryStreamTests {
  private let folder: CommandFolder

  init() throws { folder = try CommandFolder() }

  private static let endless =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"

  @Test(arguments: ["", "--csv", "--json"])
  func `a reader that goes away ends the query, and is no error`(_ option: String) throws {
    let run = try Program.run(
      ["bash", "-c", "\"$0\" query Kitchen.sqlite \"$1\" $2 | head -n 3; echo ${PIPESTATUS[0]}"]
        + [DecantProgram.path, Self.endless, option],
      in: folder.url
    )
    #expect(run.output.hasSuffix("\n0\n"))
    #expect(run.output.count { $0 == "\n" } == 4)
    #expect(run.errors.isEmpty)
  }

  @Test func `Ctrl-C ends a query`() throws {
    let program = try RunningProgram(
      [DecantProgram.path, "query", "Kitchen.sqlite", Self.endless, "--csv"],
      in: folder.url
    )
    program.wait(for: "i\n1\n2\n")
    program.send(SIGINT)
    let (status, rest) = program.end()
    #expect(status == 130)
    // What was read is not held back, and no line is cut.
    #expect(rest.isEmpty || rest.hasSuffix("\n"))
  }

  @Test func `a terminal gets a table that fits it`() throws {
    let line = "\(DecantProgram.path) query Kitchen.sqlite 'SELECT * FROM Recipe LIMIT 2'"
    let narrow = "SELECT title, subtitle, author, sourceURL FROM Recipe"
    let other = "\(DecantProgram.path) query Kitchen.sqlite '\(narrow)'"
    for (command, width) in [(line, 400), (other, 80), (other, 50)] {
      let run = try Program.run(["script", "-qec", "stty cols \(width); \(command)", "/dev/null"], in: folder.url)
      #expect(run.status == 0)
      let lines = run.output.replacing("\r\n", with: "\n").split(separator: "\n")
      #expect(lines.count > 4)
      // The longest title alone has 25 letters; what is counted in columns is tested elsewhere.
      #expect(lines.allSatisfy { $0.count <= width }, "\(run.output)")
      #expect(run.output.contains("…") == (width < 100))
    }
  }

  @Test(arguments: [80, 40])
  func `more columns than a line has room for are written one below the other`(_ width: Int) throws {
    let command = "\(DecantProgram.path) query Kitchen.sqlite 'SELECT * FROM Recipe LIMIT 2'"
    let run = try Program.run(["script", "-qec", "stty cols \(width); \(command)", "/dev/null"], in: folder.url)
    #expect(run.status == 0)
    let lines = run.output.replacing("\r\n", with: "\n").components(separatedBy: "\n")
    #expect(lines.allSatisfy { $0.count <= width }, "\(run.output)")
    let head = try folder.run(["query", "Kitchen.sqlite", "SELECT * FROM Recipe LIMIT 0", "--csv"]).output
    let names = head.trimmingCharacters(in: .newlines).split(separator: ",")
    #expect(names.count > 15)
    for name in names {
      let own = lines.filter { $0 == name || $0.hasPrefix("\(name) ") }
      #expect(own.count == 2, "\(name): \(run.output)")
    }
    // Each object behind an empty line, and the count behind another.
    #expect(lines.count == 2 * names.count + 4)
    #expect(lines[0].hasPrefix("_id ") && lines[0].hasSuffix(" 1"))
    #expect(lines[names.count].isEmpty && lines[names.count + 1].hasSuffix(" 2"))
    #expect(Array(lines.suffix(3)) == ["", "2 rows", ""])
  }
}
