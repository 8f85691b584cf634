internal import ArgumentParser
internal import DecantStores

/// `decant stores`: which kinds of stores there are, and what can be done with each.
struct StoresCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stores",
    abstract: "Lists the kinds of stores, and what can be done with each.",
    discussion: table
  )

  private static var table: String {
    var table = TextTable(
      ["kind", "read", "write", "resume", "what it is"],
      words: [0, 1, 2, 3, 4]
    )
    table.add(["coredata", "yes", "yes", "yes", "the SQLite file of Core Data and SwiftData"])
    table.add(["sqlite", "yes", "yes", "yes", "any other SQLite database, table by table"])
    table.add([
      "archive", "yes", "new", "no", "lines of JSON, packed or not, in pages and mails as well",
    ])
    for format in RecipeFileKinds.all {
      table.add([
        format.name, "yes", format.isWritten ? "new" : "no", "no", "recipes: \(format.title)",
      ])
    }
    return table.lines.joined(separator: "\n")
  }

  func run() throws {
    try StandardOutput.write(StoresCommand.table)
  }
}
