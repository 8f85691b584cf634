internal import ArgumentParser
internal import DecantPlan
internal import DecantTransfer

/// `decant stores`: lists the kinds of stores and their abilities.
struct StoresCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stores",
    abstract: "Lists the kinds of stores and what decant can do with each.",
    discussion: table
  )

  private static var table: String {
    var table = TextTable(["kind", "read", "write", "resume", "what it is"], words: [0, 1, 2, 3, 4])
    for line in StoreKinds.lines {
      let (isMade, isExtended) = (line.abilities.contains(.isMade), line.abilities.contains(.isExtended))
      let isResumed = line.abilities.contains([.isExtended, .isDatabase])
      table.add([
        line.name, "yes", isExtended ? "yes" : isMade ? "new" : "no", isResumed ? "yes" : "no", line.summary,
      ])
    }
    return table.lines.joined(separator: "\n")
  }

  func run() throws {
    try StandardOutput.write(StoresCommand.table)
  }
}
