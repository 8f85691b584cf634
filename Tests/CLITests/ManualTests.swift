import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import DecantCLI

/// The manual describes the program that is there: all of it, and nothing else.
@Suite struct ManualTests {
  /// The long options of each verb.
  private static let options: [String: Set<String>] = {
    let commands = DecantCommand.configuration.subcommands
    return Dictionary(
      uniqueKeysWithValues: commands.map { command in
        let help = DecantCommand.helpMessage(for: command, columns: 1_000)
        return (command.configuration.commandName ?? "", options(in: help))
      }
    )
  }()

  /// Returns the long options that `help` lists; not those that a text in it mentions.
  private static func options(in help: String) -> Set<String> {
    let lines = help.split(separator: "\n").filter { $0.firstMatch(of: /^  (-[a-z], )?--/) != nil }
    let names = lines.compactMap { $0.dropFirst(2).components(separatedBy: "  ").first }
    return Set(names.flatMap { $0.matches(of: /--[a-z][a-z-]*/).map { String($0.output) } })
  }

  @Test func `every verb has a section, with every long option of it`() throws {
    let sections = try ManualPage.verbs()
    #expect(Set(sections.keys) == Set(Self.options.keys), "a verb has a page NAME.md, or a section in CLI.md")
    for (verb, options) in Self.options {
      let section = sections[verb] ?? ""
      let missing = options.subtracting(["--help", "--version"]).filter {
        !section.contains("`\($0)")
      }
      #expect(missing == [], "\(verb)")
    }
  }

  @Test(arguments: ManualPage.all) func `no option is on a page that is not there`(
    page: ManualPage
  ) throws {
    let all = Self.options.values.reduce(into: Set()) { $0.formUnion($1) }
    let prose = try page.prose()
    for match in prose.matches(of: /`(--[a-z][a-z-]*)/) {
      #expect(all.contains(String(match.output.1)), "\(match.output.0)")
    }
    for match in prose.matches(of: /`decant ([a-z]+)([^`]*)`/) where match.output.1 != "help" {
      let options = try #require(Self.options[String(match.output.1)], "\(match.output.0)")
      for option in match.output.2.matches(of: /--[a-z][a-z-]*/).map({ String($0.output) }) {
        #expect(options.contains(option), "\(match.output.0)")
      }
    }
  }

  @Test(arguments: ManualPage.all) func `every link leads to a page, and to a heading of it`(
    page: ManualPage
  ) throws {
    for match in try page.text().matches(of: /<doc:([A-Za-z]+)(?:#([^>]+))?>/) {
      let target = ManualPage(path: "\(ManualPage.folder)/\(match.output.1).md")
      #expect(FileManager.default.fileExists(atPath: target.file.path), "\(match.output.0)")
      guard let anchor = match.output.2, let text = try? target.text() else { continue }
      let headings = text.matches(of: /(?m)^#+ (.*)$/).map { String($0.output.1) }
      let anchors = headings.map { $0.replacing("`", with: "").replacing(" ", with: "-") }
      #expect(anchors.contains(String(anchor)), "\(match.output.0)")
    }
  }

  @Test func `the front page lists every page`() throws {
    let front = try ManualPage(path: "\(ManualPage.folder)/Decant.md").text()
    for page in ManualPage.all where !["README", "Decant"].contains(page.name) {
      #expect(front.contains("<doc:\(page.name)>"), "\(page.name)")
    }
  }

  @Test(arguments: ManualPage.all) func `every example in Swift is one that is compiled`(
    page: ManualPage
  ) throws {
    let folder = Fixtures.projectFolder.appendingPathComponent("Tests/Apps/Examples")
    let examples = try FileManager.default.contentsOfDirectory(atPath: folder.path).map {
      try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8)
    }
    for block in try page.blocks() where block.language == "swift" {
      let text = block.lines.joined(separator: "\n")
      #expect(examples.contains { $0.contains(text) }, "\(text.prefix(200))")
    }
  }

  @Test func `every type that the front page lists is public`() throws {
    let sources = Fixtures.projectFolder.appendingPathComponent("Sources")
    let files = FileManager.default.enumerator(atPath: sources.path)?.compactMap { $0 as? String } ?? []
    var names: Set<Substring> = []
    for file in files where file.hasSuffix(".swift") {
      let text = try String(contentsOf: sources.appendingPathComponent(file), encoding: .utf8)
      for line in text.split(separator: "\n") where line.contains("public ") {
        let words = line.split { !$0.isLetter && !$0.isNumber }
        guard let kind = words.firstIndex(where: Self.kinds.contains) else { continue }
        names.formUnion(words[kind...].dropFirst().prefix(1))
      }
    }
    let front = try ManualPage(path: "\(ManualPage.folder)/Decant.md").text()
    let listed = front.matches(of: /(?m)^- ``(\w+)``/).map(\.output.1)
    #expect(listed.count > 30)
    #expect(listed.filter { !names.contains($0) } == [])
  }

  private static let kinds: Set<Substring> = ["struct", "enum", "class", "protocol", "actor", "typealias"]
}
