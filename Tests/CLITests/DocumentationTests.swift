import ArgumentParser
import Decant
import Foundation
import TestSupport
import Testing

@testable import DecantCLI
@testable import Examples

/// The pages say what is so.
@Suite struct DocumentationTests {
  private static func text(_ path: String) throws -> String {
    try String(contentsOf: Fixtures.projectFolder.appendingPathComponent(path), encoding: .utf8)
  }

  /// Returns the blocks of code in `text` that are marked as `language`.
  private static func blocks(of language: String, in text: String) -> [String] {
    text.components(separatedBy: "```\(language)\n").dropFirst().compactMap { block in
      block.components(separatedBy: "\n```").first
    }
  }

  /// Returns the long options that `help` lists; not those that a text in it mentions.
  private static func options(in help: String) -> Set<String> {
    let lines = help.split(separator: "\n").filter { $0.firstMatch(of: /^  (-[a-z], )?--/) != nil }
    let names = lines.compactMap { $0.dropFirst(2).components(separatedBy: "  ").first }
    return Set(names.flatMap { $0.matches(of: /--[a-z][a-z-]*/).map { String($0.output) } })
  }

  @Test func `every verb and every long option is on the page of the command line`() throws {
    let page = try Self.text("Sources/Decant/Decant.docc/CLI.md")
    let ownNames: Set = ["--help", "--version"]
    for command in DecantCommand.configuration.subcommands {
      let verb = try #require(command.configuration.commandName)
      let heading = "\n## decant \(verb)"
      #expect(page.contains(heading), "\(verb)")
      let rest = page.components(separatedBy: heading).last ?? ""
      let section = rest.components(separatedBy: "\n## ").first ?? ""
      let help = DecantCommand.helpMessage(for: command, columns: 1_000)
      for option in Self.options(in: help).subtracting(ownNames) {
        #expect(section.contains("`\(option)"), "\(verb) \(option)")
      }
    }
  }

  @Test func `no option is on the page that is not there`() throws {
    let page = try Self.text("Sources/Decant/Decant.docc/CLI.md")
    let help = DecantCommand.configuration.subcommands
      .map { DecantCommand.helpMessage(for: $0, columns: 1_000) }.joined()
    let options = Self.options(in: help)
    for option in page.matches(of: /`(--[a-z][a-z-]*)/).map({ String($0.output.1) }) {
      #expect(options.contains(option), "\(option)")
    }
  }

  @Test func `the first commands of the README are the demonstration and the tests`() throws {
    let commands = try Self.blocks(of: "sh", in: Self.text("README.md")).joined(separator: "\n")
      .split(separator: "\n").map { $0.prefix { $0 != "#" }.trimmingCharacters(in: .whitespaces) }
    #expect(commands.prefix(2) == ["make demo", "make test"])
    let makefile = try Self.text("Makefile")
    for case let command in commands where command.hasPrefix("make ") {
      let target = command.split(separator: " ")[1]
      #expect(makefile.contains("\n\(target):"), "\(target)")
    }
  }

  @Test func `the session of the README gives what it says`() throws {
    let session = try #require(Self.blocks(of: "console", in: Self.text("README.md")).first)
    let folder = try TemporaryFolder()
    for name in ["Kitchen.sqlite", "Guests.sqlite"] {
      try FileManager.default.copyItem(
        at: Fixtures.projectFolder.appendingPathComponent("samples/\(name)"),
        to: folder.url.appendingPathComponent(name)
      )
    }
    let bin = URL(fileURLWithPath: DecantProgram.path).deletingLastPathComponent().path
    let path = bin + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
    for part in ("\n" + session).components(separatedBy: "\n$ ").dropFirst() {
      let lines = part.components(separatedBy: "\n")
      let run = try Program.run(["sh", "-c", lines[0]], in: folder.url, environment: ["PATH": path])
      let expected = lines.dropFirst().joined(separator: "\n")
      #expect(Self.lasting(run.output + run.errors) == Self.lasting(expected), "\(lines[0])")
    }
  }

  /// Returns `text` without what differs from run to run: seconds and memory.
  private static func lasting(_ text: String) -> String {
    text.replacing(/· \d+\.\d\d s · [\d.]+ MB of memory/, with: "· …")
      .trimmingCharacters(in: .newlines)
  }

  @Test func `the example of the README is the one that is compiled`() throws {
    let example = try #require(Self.blocks(of: "swift", in: Self.text("README.md")).first)
    #expect(try Self.text("Tests/Apps/Examples/ReadmeExample.swift") == example + "\n")
    let startUp = try Self.text("Tests/Apps/Examples/StartUpExample.swift")
    #expect(try Self.text("Sources/Decant/Decant.docc/Decant.md").contains("```swift\n\(startUp)```"))
  }

  @Test func `the example of the README runs`() async throws {
    let folder = try TemporaryFolder()
    let kitchen = folder.path("Kitchen.sqlite")
    let samples = Fixtures.projectFolder.appendingPathComponent("samples")
    try FileManager.default.copyItem(atPath: samples.path + "/Kitchen.sqlite", toPath: kitchen)
    let report = try await add(samples.path + "/Guests.sqlite", to: kitchen)
    #expect(report?.copiedCount == 61 && report?.isVerified == true)
  }

  @Test func `every exit code is in the README and on the page`() throws {
    let families: [DecantError.Family] = [
      .failed, .storeNotFound, .storeBusy, .modelMismatch, .corruptStore, .usage, .interrupted,
    ]
    let numbers =
      [0] + families.map { ExitCode($0).rawValue } + [
        ExitCode.rejects.rawValue, ExitCode.differ.rawValue,
      ]
    let page = try Self.text("Sources/Decant/Decant.docc/CLI.md")
    let readme = try Self.text("README.md")
    for number in numbers {
      #expect(page.contains("| \(number) |"), "\(number)")
      #expect(readme.contains("\(number) "), "\(number)")
    }
  }

  @Test func `every code of an error is on the page, with the exit code of its family`() throws {
    let source = try Self.text("Sources/DecantBase/Errors/DecantError+Codes.swift")
    let codes = source.matches(of: /static let (\w+) = Self\("(\w+)", \.(\w+)\)/).map(\.output)
    #expect(codes.count > 40)
    let families: [String: DecantError.Family] = [
      "failed": .failed, "storeNotFound": .storeNotFound, "storeBusy": .storeBusy,
      "modelMismatch": .modelMismatch, "corruptStore": .corruptStore, "usage": .usage,
      "interrupted": .interrupted,
    ]
    let page = try Self.text("Sources/Decant/Decant.docc/CLI.md")
    let listed = page.matches(of: /\| (\d+) \| `(\w+)` \|/).map { "\($0.output.2) \($0.output.1)" }
    let expected = try codes.map { _, name, text, family in
      #expect(name == text)
      let number = ExitCode(try #require(families[String(family)])).rawValue
      return "\(name) \(number)"
    }
    #expect(listed.sorted() == expected.sorted())
  }

  @Test func `the README has the length of a page, and every link in it leads somewhere`() throws {
    let readme = try Self.text("README.md")
    #expect((100...150).contains(readme.count { $0 == "\n" }))
    for link in readme.matches(of: /\]\(([^)#:]+)\)/).map({ String($0.output.1) }) {
      let place = Fixtures.projectFolder.appendingPathComponent(link).path
      #expect(FileManager.default.fileExists(atPath: place), "\(link)")
    }
  }
}
