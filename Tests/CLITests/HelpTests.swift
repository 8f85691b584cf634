import ArgumentParser
import TestSupport
import Testing

@testable import DecantCLI

/// The pages of help: one screen for every verb, and nothing that a terminal of 80 columns breaks.
@Suite struct HelpTests {
  private static let verbs = DecantCommand.configuration.subcommands.compactMap {
    $0.configuration.commandName
  }

  private static func run(_ arguments: [String], columns: Int = 80) throws -> Program {
    try Program.run([DecantProgram.path] + arguments, environment: ["COLUMNS": String(columns), "LINES": "25"])
  }

  /// The options that `page` lists.
  private static func options(_ page: String) -> Set<String> {
    let labels = page.split(separator: "\n").filter { $0.firstMatch(of: /^  (-[a-z], )?--/) != nil }
      .compactMap { $0.dropFirst(2).split(separator: "  ").first }
    return Set(labels.flatMap { $0.matches(of: /--[a-z][a-z-]*/).map { String($0.output) } })
  }

  @Test(arguments: verbs) func `help of a verb is one screen of 80 columns`(_ verb: String) throws {
    let page = try Self.run(["help", verb])
    #expect(page.status == 0 && page.errors.isEmpty, "\(page.errors)")
    #expect(try Self.run([verb, "--help"]).output == page.output)
    let lines = page.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 60, "\(verb): \(lines.count) lines")
    for line in lines where line.count > 80 { Issue.record("\(verb): \(line)") }
  }

  @Test(arguments: verbs)
  func `a line is broken between words, and no command is broken`(_ verb: String) throws {
    for flag in ["--help", "--help-hidden"] {
      let narrow = try Self.run([verb, flag]).output
      let wide = try Self.run([verb, flag], columns: 1000).output
      #expect(narrow.split(whereSeparator: \.isWhitespace) == wide.split(whereSeparator: \.isWhitespace))
      let commands = wide.split(separator: "\n").filter { $0.hasPrefix("  decant ") }
      for command in commands { #expect(narrow.contains("\n\(command)\n"), "\(command)") }
    }
  }

  @Test(arguments: verbs)
  func `what the page leaves out is on the long one, which it names`(_ verb: String) throws {
    let short = try Self.run([verb, "--help"]).output
    let long = try Self.run([verb, "--help-hidden"]).output
    #expect(Self.options(short).isSubset(of: Self.options(long)))
    let footer = "All options and details: decant \(verb) --help-hidden"
    #expect(short.contains(footer) == (short != long))
    #expect(!long.contains(footer))
    #expect(try Self.run(["help", verb, "--help-hidden"]).output == long)
    let isLeftOut = Self.options(long).isStrictSuperset(of: Self.options(short))
    #expect(
      isLeftOut || ["query", "stores", "generate"].contains(verb),
      "\(verb): no option has the visibility .rare; if none is rare, name the verb here")
  }

  @Test(arguments: [
    ("migrate", ["--to", "--through"]), ("export", ["--where", "--root"]),
    ("repoint", ["--at", "--ids"]),
    ("merge", ["--merge", "--identity"]), ("copy", ["--where", "--root"]),
  ])
  func `what a verb is used with comes first`(_ verb: String, _ first: [String]) throws {
    let page = try Self.run([verb, "--help"]).output
    let labels = page.matches(of: /\n  (?:-[a-z], )?(--[a-z-]+)/).map { String($0.1) }
    for option in first { #expect(labels.prefix(5).contains(option), "\(labels.prefix(5))") }
  }

  @Test func `without a verb decant says what to begin with`() throws {
    let run = try Self.run([])
    #expect(run.status == 0 && run.errors.isEmpty)
    let commands = run.output.matches(of: /\ \ \ decant ([^\n]+)/).map {
      $0.1.split(separator: " ").map(String.init)
    }
    #expect(commands.count == 5)
    for command in commands { _ = try DecantCommand.parseAsRoot(command) }
    #expect(run.output.contains("decant help"))
    #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(run.output)")
  }

  @Test(arguments: [
    ["mrge", "a", "b"], ["copy", "a", "b", "--dry-rum"], ["copy", "a", "b", "--max-rejekts", "1"],
    ["copy", "a", "b", "--identiti", "Tag: name"], ["import", "a", "b", "--max-bites", "1"],
    ["copy", "Kitchen.sqlite", "n.sqlite", "--where", "Recpe: 1"],
    ["query", "Kitchen.sqlite", "SELECT titel FROM Recipe"],
    ["merge", "Guests.sqlite", "Kitchen.sqlite", "--merge", "nwest"],
    ["merge", "Guests.sqlite", "Kitchen.sqlite", "--merge", "Recipe: updat"],
    ["copy", "Kitchen.sqlite", "n.sqlite", "--root", "Recipe: 1", "--rule", "Recipe.tags=folow"],
  ])
  func `a mistyped name is answered with the nearest one`(_ arguments: [String]) throws {
    let run = try CommandFolder().run(arguments)
    #expect(run.status != 0)
    #expect(run.errors.lowercased().contains("did you mean"), "\(run.errors)")
  }
}
