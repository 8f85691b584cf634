internal import ArgumentParser
internal import DecantBase
internal import DecantSQLite

/// The program, with a subcommand for each verb in `Commands/`.
@main
struct DecantCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "decant",
    abstract: "Copies, merges and migrates data stores, and proves that nothing was lost.",
    discussion: """
      A store is a Core Data SQLite file, any other SQLite database, an archive or a \
      recipe file. Name it by its path, or as coredata:PATH, sqlite:PATH or \
      archive:PATH. A store that is only read is never changed; a new store appears \
      only when it is complete.

      Exit codes:
        0    done
        1    failed
        3    done, but objects were left out or conflicts are open
        4    the stores differ
        10   store not found
        11   store in use by another program
        12   the models do not fit
        13   the input is damaged
        64   wrong arguments
        130  interrupted; the run can be repeated or continued
      """,
    version: Version.text,
    subcommands: [
      InspectCommand.self, DoctorCommand.self, CopyCommand.self, MergeCommand.self, ExportCommand.self,
      ImportCommand.self, VerifyCommand.self, DiffCommand.self, CheckCommand.self,
      MigrateCommand.self, QueryCommand.self, RecipesCommand.self,
      GenerateCommand.self, RepointCommand.self, CleanCommand.self, RollbackCommand.self, StoresCommand.self,
    ]
  )

  /// Errors in the arguments begin like all others.
  static var _errorLabel: String { "decant" }

  func run() throws {
    try StandardOutput.write(FirstTasks.text)
  }

  /// Runs the verb; error messages about the arguments do not repeat passwords either.
  static func main() {
    Memory.returnLargeBuffers()
    Connection.countNoMemory()
    do {
      try checkArguments()
      let arguments = CommandLine.arguments.dropFirst()
      try checkVerb(arguments)
      // “decant help VERB --help-hidden” means the same as “decant VERB --help-hidden”.
      let isHelp = arguments.first == "help"
      var command = try parseAsRoot(isHelp ? arguments.filter { $0 != "--help-hidden" } : nil)
      (command as? any MemoryLimited)?.memory.apply()
      ErrorLine.prepare(for: command)
      // The remains of killed runs contain the user's data.
      ScratchFolder.clear()
      try command.run()
    } catch {
      let code = exitCode(for: error)
      guard !code.isSuccess else { printHelp(asked: error) }
      let text = fullMessage(for: error)
      if !text.isEmpty { StandardError.write(text + "\n") }
      exit(withError: code)
    }
  }

  /// Prints what `error` requests instead of work: help, the version, or a completion script.
  private static func printHelp(asked error: any Error) -> Never {
    guard fullMessage(for: error).hasPrefix("OVERVIEW:") else { exit(withError: error) }
    let arguments = CommandLine.arguments.dropFirst()
    let page = HelpPage.text(for: Array(arguments), of: verb(in: arguments)) {
      fullMessage(for: error)
    }
    exit(withError: CleanExit.message(page))
  }

  /// Returns the verb in `arguments`, or the one that they ask about.
  private static func verb(in arguments: ArraySlice<String>) -> String? {
    let named = arguments.first == "help" ? arguments.dropFirst().first : arguments.first
    return named.flatMap { $0.hasPrefix("-") ? nil : $0 }
  }

  /// Throws if the arguments are not available as they were typed.
  private static func checkArguments() throws {
    // Swift reads them from /proc.
    guard CommandLine.argc > 0 else {
      StandardError.write("decant: cannot read the arguments\n  mount /proc, then run it again\n")
      throw ExitCode.failure
    }
    for index in 0..<Int(CommandLine.argc) {
      guard let argument = CommandLine.unsafeArgv[index], String(validatingCString: argument) == nil else { continue }
      throw ValidationError(
        "“\(String(cString: argument))” is not valid UTF-8: rename the file, or name it by a symbolic link")
    }
  }

  /// Throws if the first of `arguments` is not a verb; the error suggests the most similar one.
  private static func checkVerb(_ arguments: ArraySlice<String>) throws {
    guard let verb = verb(in: arguments) else { return }
    let verbs = configuration.subcommands.compactMap { $0.configuration.commandName }
    guard !verbs.contains(verb), verb != "help" else { return }
    let remedy = verb.remedy(among: verbs, of: "verbs")
    throw ValidationError("there is no verb “\(verb)”: \(remedy)")
  }
}
