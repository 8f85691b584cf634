internal import ArgumentParser
internal import DecantBase
internal import DecantMatch
internal import DecantProof
internal import DecantTransfer

/// `decant verify`: proves a copy by reading it again.
struct VerifyCommand: ParsableCommand, MemoryLimited {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "verify",
      abstract: "Checks that a store contains everything that another one contains.",
      usage: "decant verify <source> <destination> [<options>]",
      discussion: HelpPage.discussion(
        """
        Reads both stores, changes neither, and compares every object of the source \
        with its copy: values, links, order and keys. It compares the schemas, too. The \
        destination may contain more.

        Exit code 0: nothing is missing. 4: differences were found and listed.
        """,
        details: """
          Objects are paired by the file that copy --keep-ids wrote, else by key if the \
          copy kept keys, else by identity, else by content.
          """,
        examples: """
          decant verify Recipes.sqlite Copy.sqlite
          decant verify Guests.sqlite Kitchen.sqlite --ids ids.sqlite
          """
      )
    )
  }

  @Argument(help: "The store that was copied.", completion: .file())
  var source: String

  @Argument(help: "The store it was copied into.", completion: .file())
  var destination: String

  @Option(help: ArgumentHelp("The file that copy --keep-ids wrote.", valueName: "file"), completion: .file())
  var ids: String?

  @OptionGroup
  var reading: ComparedStoresOptions

  @OptionGroup
  var pairing: PairingOptions

  @OptionGroup
  var memory: MemoryOptions

  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard ids == nil || !pairing.isSaid else {
      throw ValidationError("--ids lists which object is which: remove --identity, --same-lineage and --no-lineage")
    }
  }

  func run() throws {
    var verify = Verify(source, against: destination)
    verify.idTableFile = ids
    verify.model = reading.model
    pairing.enter(&verify.rules)
    verify.take(linksOf: try reading.linkOptions())
    let report = try VerbRunner(output).run(verify)
    if output.json {
      try StandardOutput.write(document: report)
    } else if !output.quiet {
      try StandardOutput.write(report.text)
    }
    if !report.isEqual { throw ExitCode.differ }
  }
}

extension VerifyReport {
  /// The result for people.
  fileprivate var text: String {
    let count = entities.reduce(0) { $0 + $1.expected }
    let all = entities.reduce(0) { $0 + $1.source }
    var lines: [String] = []
    if isEqual {
      lines.append("equal: all \(count.grouped) \(source.terms.objects) of \(source.place) are in \(destination.place)")
      let left = all - count - rejectedCount
      if rejectedCount > 0 { lines.append("rejected by the copy: \(rejectedCount.grouped)") }
      if left > 0 { lines.append("not copied, so not compared: \(left.grouped)") }
      if matchedBy > .identity { lines.append(ways) }
    } else {
      lines.append("\(source.place) and \(destination.place) differ")
      lines += differences.map { "  \($0)" }
      lines += schema.map { "  \($0.text(source.place, destination.place))" }
      if isCutOff { lines.append("  … and more") }
      if matchedBy != .ids { lines.append(ways) }
    }
    return (lines + notes.commandLine.map { "note: \($0)" }).joined(separator: "\n")
  }

  /// The ways in which objects were matched.
  private var ways: String {
    let entities = entities.filter { $0.source > 0 }
    let ways = MatchedBy.allCases.compactMap { way -> String? in
      let names = entities.filter { $0.matchedBy == way }.map(\.name)
      guard !names.isEmpty else { return nil }
      return "by \(way.words)"
        + (names.count < entities.count ? " (\(names.joined(separator: ", ")))" : "")
    }
    return "\(source.terms.objects) were matched \(ways.joined(separator: ", "))"
  }
}
