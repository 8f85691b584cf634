internal import ArgumentParser
internal import DecantBase

/// The program: one verb each in `Commands/`.
@main
struct DecantCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "decant",
    abstract: "Copies, merges and migrates data stores, and proves that nothing was lost.",
    discussion: """
      A store is a place that holds objects: a Core Data SQLite file, any other
      SQLite database, or an archive of one. Name it by its path, or as
      coredata:PATH, sqlite:PATH or archive:PATH. What is read is never changed; a
      new store appears only when it is whole.
      """,
    version: "0.1.0",
    subcommands: [
      InspectCommand.self, DoctorCommand.self, CopyCommand.self, MergeCommand.self, ExportCommand.self,
      ImportCommand.self, VerifyCommand.self, DiffCommand.self, CheckCommand.self,
      MigrateCommand.self, QueryCommand.self,
      RepointCommand.self, CleanCommand.self, RollbackCommand.self, StoresCommand.self,
    ]
  )

  /// Mistakes in the arguments begin like every other error.
  static var _errorLabel: String { "decant" }

  /// Runs the verb; what is said of mistakes in the arguments repeats no password either.
  static func main() {
    Memory.returnLargeBuffers()
    do {
      try checkVerb(CommandLine.arguments.dropFirst())
      var command = try parseAsRoot()
      (command as? any MemoryLimited)?.memory.apply()
      ErrorLine.prepare(for: command)
      // What is left of runs that were killed holds the user's data.
      ScratchFolder.clear()
      try command.run()
    } catch {
      let code = exitCode(for: error)
      guard !code.isSuccess else { exit(withError: error) }
      let text = fullMessage(for: error)
      if !text.isEmpty { StandardError.write(text + "\n") }
      exit(withError: code)
    }
  }

  /// Throws where the first of `arguments` is no verb, with the one that was probably meant.
  private static func checkVerb(_ arguments: ArraySlice<String>) throws {
    let named = arguments.first == "help" ? arguments.dropFirst().first : arguments.first
    guard let verb = named, !verb.hasPrefix("-") else { return }
    let verbs = configuration.subcommands.compactMap { $0.configuration.commandName }
    guard !verbs.contains(verb), verb != "help" else { return }
    let remedy = verb.remedy(among: verbs, of: "verbs")
    throw ValidationError("there is no verb “\(verb)”: \(remedy)")
  }
}
