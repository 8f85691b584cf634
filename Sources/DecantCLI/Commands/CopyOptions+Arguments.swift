public import ArgumentParser
internal import DecantBase
internal import DecantPlan

/// The options that select what is copied.
struct ChoiceOptions: ParsableArguments {
  @Option(
    name: .customLong("where"),
    help: ArgumentHelp(
      "Only objects of ENTITY that meet an SQL condition.",
      discussion: .detail(
        """
        The condition may use the attributes and relationships of the entity. Links to objects that are left out \
        become null and are counted as cut. May be repeated.
        """
      ),
      valueName: "ENTITY: CONDITION"
    ),
    completion: .entityAndAttributes,
    transform: CopyOptions.Filter.init(argument:)
  )
  var `where`: [CopyOptions.Filter] = []

  @Option(
    help: ArgumentHelp(
      "Only objects that meet the condition, and all objects that they need.",
      discussion: .detail(
        """
        An object needs the objects that belong to it and those that it requires: see --rule. \
        With --dry-run they are listed by distance. May be repeated.
        """
      ),
      valueName: "ENTITY: CONDITION"
    ),
    completion: .entityAndAttributes,
    transform: CopyOptions.Filter.init(argument:)
  )
  var root: [CopyOptions.Filter] = []

  @Option(
    help: ArgumentHelp(
      "What --root copies along a relationship: its objects (follow), or only links to objects that are copied anyway (reference, stop); may be repeated.",
      valueName: "RELATIONSHIP=follow|reference|stop",
      visibility: .rare
    ),
    completion: .rule,
    transform: CopyOptions.Rule.init(argument:)
  )
  var rule: [CopyOptions.Rule] = []

  @Option(
    help: ArgumentHelp(
      "The model of a source that does not contain its own: .xcdatamodeld, .momd, .mom, or another store.",
      discussion: .detail(
        "The version that matches the store is found. To choose one, write App.xcdatamodeld#Model 3."
      ),
      valueName: "model"
    ),
    completion: .file()
  )
  var model: String?

  @Flag(
    help: ArgumentHelp(
      "Copy sync metadata too: iCloud keys, the CloudKit mirror, persistent history.",
      visibility: .rare
    )
  )
  var keepMetadata = false

  @Flag(
    help: ArgumentHelp(
      "Read a private copy of the source, so that programs that write to it do not wait.",
      discussion: .detail("Otherwise they wait until the copy is done, unless the source has a write-ahead log."),
      visibility: .rare
    )
  )
  var privateCopy = false

  /// Throws for rules without a root; `begins` is true if another option selects roots.
  func checkRules(begins: Bool = false) throws {
    if root.isEmpty, !rule.isEmpty, !begins {
      throw ValidationError("--rule requires a root to start from: add --root 'Entity: condition'")
    }
  }
}

/// The options for creating a store or adding to one, without those for existing objects.
struct AddingOptions: ParsableArguments {
  @Flag(help: "Add all objects as new ones to an existing store.")
  var append = false

  @Option(
    help: ArgumentHelp(
      "Create the new store like this one: a store, or the .momd of a built app, of the source's model version.",
      discussion: .detail(
        "If it is a store, its tables, indexes, triggers and metadata are used, but not its objects."
      ),
      valueName: "model"
    ),
    completion: .file()
  )
  var template: String?

  @Flag(
    help: ArgumentHelp(
      "Create the new store from a model without version hashes, such as an .xcdatamodeld.",
      discussion: .detail("Apps can open it only after one step on a Mac, which the report describes."),
      visibility: .rare
    )
  )
  var unversioned = false

  @Flag(
    help: ArgumentHelp(
      "Keep dates as numbers in a PostgreSQL database.",
      discussion: .detail(
        "Its own type for dates rounds to microseconds, and ends in 4713 BC and in the year 294276. The numbers are "
          + "seconds since 2001."
      ),
      visibility: .rare
    )
  )
  var exactDates = false

  @Option(
    help: ArgumentHelp(
      "The type of a column in a PostgreSQL database.",
      discussion: .detail(
        "For a table and its column, or an entity and its attribute, such as 'note.created: timestamptz'. Every value "
          + "must come back from the column as it was. Numbers become dates by timestamptz from unix, from "
          + "milliseconds or from 2001. May be repeated."
      ),
      valueName: "table.column: type",
      visibility: .rare
    ),
    transform: ColumnChoice.init(argument:)
  )
  var type: [ColumnChoice] = []

  @Option(
    help: ArgumentHelp(
      "How long to try to connect again when the connection to a PostgreSQL server is lost.",
      discussion: .detail(
        "The time applies to the whole copy, such as 60s or 5m. The copy continues after its last batch. Without it the copy "
          + "fails, and --resume continues it."
      ),
      valueName: "time",
      visibility: .rare
    ),
    transform: Duration.init(argument:)
  )
  var reconnect = Duration.zero

  @Option(
    help: ArgumentHelp(
      "In how many sessions a PostgreSQL server creates keys and indexes and checks foreign keys at the same time.",
      discussion: .detail("One more session writes the rows, and another reads them back. From 1 to 64; by default 1."),
      valueName: "number",
      visibility: .rare
    )
  )
  var workers = 1

  @Option(
    help: ArgumentHelp(
      "How tables and columns in a PostgreSQL database are named: in small letters, or as in the model.",
      valueName: "small|model",
      visibility: .rare
    ),
    completion: .list(TableNaming.allCases.map(\.rawValue))
  )
  var names = TableNaming.small

  func validate() throws {
    if !(1...64).contains(workers) { throw ValidationError("--workers is a number from 1 to 64") }
  }
}

/// The options for writing the destination.
struct WritingOptions: ParsableArguments {
  @Flag(help: "Print what would be written, and write nothing.")
  var dryRun = false

  @Flag(help: "First keep an existing store as NAME.backup-1.")
  var backup = false

  @Option(
    name: .customLong("keep-ids"),
    help: ArgumentHelp(
      "Record in this file which object became which.",
      discussion: .detail("A SQLite database, which verify, diff and repoint read."),
      valueName: "file"
    ),
    completion: .file()
  )
  var keepIDs: String?

  @Option(
    help: ArgumentHelp(
      "What to do when the destination refuses an object: stop, or leave the object out.",
      valueName: "stop|reject",
      visibility: .rare
    ),
    completion: .list(["stop", "reject"])
  )
  var onError = CopyOptions.OnError.stop

  @Option(
    help: ArgumentHelp(
      "The archive for rejected objects, each with the reason; “decant import” reads it.",
      valueName: "file",
      visibility: .rare
    ),
    completion: .file()
  )
  var rejects: String?

  @Option(
    help: ArgumentHelp(
      "The most objects that may be rejected, as a number or a percentage; with more, nothing is written.",
      valueName: "count|share%",
      visibility: .rare
    ),
    transform: RejectAllowance.init(argument:)
  )
  var maxRejects: RejectAllowance?

  @Flag(help: "Continue an interrupted run after its last batch.")
  var resume = false

  @Flag(help: ArgumentHelp("Start an interrupted run over. This is the default.", visibility: .rare))
  var restart = false

  @Option(
    help: ArgumentHelp(
      "Commit to an existing store in one transaction, or batch by batch so that --resume can continue.",
      discussion: .detail(
        """
        batch is for very large runs. The batches are written to a copy of the store, which replaces it at the end; in a \
        PostgreSQL database they are written in place.
        """
      ),
      valueName: "run|batch",
      visibility: .rare
    ),
    completion: .list(["run", "batch"])
  )
  var commit = CopyOptions.Commit.run

  @Flag(
    help: ArgumentHelp(
      "For tables on a server: drop foreign keys while rows are added, and create and check them at the end.",
      visibility: .rare
    )
  )
  var deferConstraints = false

  @Option(help: ArgumentHelp("How many rows to write and commit together.", valueName: "rows", visibility: .rare))
  var batchSize: Int64 = 10_000

  @Flag(inversion: .prefixedNo, help: "Read the result and compare it.")
  var verify = true

  @Flag(
    help: ArgumentHelp(
      "Write to a store even if CloudKit mirrors it.",
      discussion: .detail("The mirror may never send the added objects."),
      visibility: .rare
    )
  )
  var force = false

  @Flag(
    name: .shortAndLong,
    help: ArgumentHelp(
      "List every remark on recipe files; with --dry-run print the SQL statements too.", visibility: .rare))
  var verbose = false

  /// Throws for `--verbose` without a dry run, whose statements it prints.
  func checkVerbose() throws {
    guard verbose, !dryRun else { return }
    throw ValidationError("--verbose prints the statements of a dry run: add --dry-run")
  }

  func validate() throws {
    if resume, restart { throw ValidationError("--resume and --restart cannot be combined") }
    if batchSize < 1 { throw ValidationError("--batch-size must be at least 1") }
  }
}

/// The options for showing progress.
struct ProgressOptions: ParsableArguments {
  @Option(
    name: .customLong("progress"),
    help: ArgumentHelp(
      "How to show progress on standard error; auto shows a bar on a terminal, otherwise nothing.",
      valueName: "auto|bar|json|none",
      visibility: .rare
    )
  )
  var style = ProgressLine.Style.auto

  /// The same style beside a result that is printed while it is read: no progress line is drawn on the same terminal.
  var besideOutput: ProgressLine.Style {
    style == .auto && StandardOutput.terminalColumnCount != nil ? .none : style
  }
}

/// The options for the output of a verb.
struct OutputOptions: ParsableArguments {
  @OptionGroup var progress: ProgressOptions

  @Flag(help: "Print the report as one JSON document.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print errors only.")
  var quiet = false

  var progressStyle: ProgressLine.Style {
    quiet && progress.style == .auto ? .none : progress.style
  }
}

extension WritingOptions {
  /// Throws for options on rejects if nothing can be rejected; with a mapping, its rules for links may reject objects.
  func checkRejects(_ mapping: MappingOptions) throws {
    guard mapping.mapping == nil else { return }
    if rejects != nil, onError == .stop {
      throw ValidationError("--rejects lists what --on-error reject leaves out: use both")
    }
    if maxRejects != nil, onError == .stop {
      throw ValidationError("--max-rejects limits what --on-error reject leaves out: use both")
    }
  }

  /// Adds these options to the options of a copy.
  func enter(into options: inout CopyOptions) {
    options.writesMirroredStore = force
    options.batchSize = batchSize
    (options.commit, options.defersConstraints) = (commit, deferConstraints)
    options.onError = onError
    options.rejectsFile = rejects
    switch maxRejects {
    case .count(let count): options.rejectLimit = count
    case .share(let share): options.rejectRate = share
    case nil: break
    }
    options.keepsBackup = backup
    options.idTableFile = keepIDs
    options.leftOver = resume ? .resume : .startOver
    options.verifies = verify
    options.isDryRun = dryRun
  }
}

extension ChoiceOptions {
  /// Adds these options to the options of a copy.
  func enter(into options: inout CopyOptions) {
    options.filters = self.where
    options.roots = root
    options.rules = rule
    options.model = model
    options.keepsMetadata = keepMetadata
    options.readsPrivateCopy = privateCopy
  }
}

/// The number of objects that may be rejected: `10`, or `0.5%` of all.
enum RejectAllowance: Sendable, Hashable {
  case count(Int64)
  /// A share from 0 to 1.
  case share(Double)

  init(argument: String) throws {
    if argument.hasSuffix("%"), let percent = Double(argument.dropLast()), percent >= 0,
      percent <= 100
    {
      self = .share(percent / 100)
    } else if let count = Int64(argument), count >= 0 {
      self = .count(count)
    } else {
      throw ValidationError("--max-rejects takes a number like 10, or a percentage like 0.5%")
    }
  }
}

extension CopyOptions.Commit: ExpressibleByArgument {}
extension CopyOptions.OnError: ExpressibleByArgument {}
extension TableNaming: ExpressibleByArgument {}
extension ProgressLine.Style: ExpressibleByArgument {}

extension CopyOptions.Filter {
  /// Parses `Entity: condition`.
  init(argument: String) throws {
    let parts = argument.split(separator: ":", maxSplits: 1)
    let trimmed = parts.map(\.trimmed)
    guard trimmed.count == 2, trimmed.allSatisfy({ !$0.isEmpty }) else {
      throw ValidationError("write the condition as 'Entity: expression', like 'Recipe: rating >= 4'")
    }
    self.init(entity: trimmed[0], expression: trimmed[1])
  }
}

extension ColumnChoice {
  /// Parses `table.column: type`.
  init(argument: String) throws {
    let parts = argument.split(separator: ":", maxSplits: 1).map(\.trimmed)
    let names = parts.first?.split(separator: ".", maxSplits: 1).map(\.trimmed) ?? []
    guard parts.count == 2, names.count == 2, (parts + names).allSatisfy({ !$0.isEmpty }) else {
      throw ValidationError("write the type as 'table.column: type', like 'note.created: timestamptz'")
    }
    self.init(Property(names[0], names[1]), type: parts[1])
  }
}

extension CopyOptions.Rule {
  /// Parses `Entity.relationship=rule`.
  init(argument: String) throws {
    let words = ClosureRule.allCases.map(\.rawValue)
    guard let sign = argument.lastIndex(of: "=") else {
      throw ValidationError("write the rule as 'Recipe.category=stop'")
    }
    let name = argument[..<sign].trimmed
    let word = argument[argument.index(after: sign)...].trimmed
    guard !name.isEmpty, let rule = ClosureRule(rawValue: word) else {
      if !name.isEmpty, let nearest = word.nearest(in: words) {
        throw ValidationError("there is no rule “\(word)”: did you mean \(nearest)?")
      }
      throw ValidationError("write the rule as 'Recipe.category=stop'; the rules are \(words.joined(separator: ", "))")
    }
    self.init(name, rule)
  }
}
