public import ArgumentParser
internal import DecantBase
internal import DecantPlan

/// The options that choose what is copied.
struct ChoiceOptions: ParsableArguments {
  @Option(
    name: .customLong("where"),
    help: ArgumentHelp(
      "Only objects of ENTITY that meet an SQL condition on its attributes; may be repeated.",
      discussion: "Links to what is left out become null and are counted as cut.",
      valueName: "ENTITY: CONDITION"
    ),
    transform: CopyOptions.Filter.init(argument:)
  )
  var `where`: [CopyOptions.Filter] = []

  @Option(
    help: ArgumentHelp(
      "Only objects of ENTITY that meet a condition, and what they need; may be repeated.",
      discussion:
        "What belongs to an object goes with it, and what it cannot be without: see --rule. With --dry-run it is shown by distance.",
      valueName: "ENTITY: CONDITION"
    ),
    transform: CopyOptions.Filter.init(argument:)
  )
  var root: [CopyOptions.Filter] = []

  @Option(
    help: ArgumentHelp(
      "What --root takes along a relationship: its objects (follow), or only links to those that are there anyway (reference, stop); may be repeated.",
      valueName: "RELATIONSHIP=follow|reference|stop"
    ),
    transform: CopyOptions.Rule.init(argument:)
  )
  var rule: [CopyOptions.Rule] = []

  @Option(
    help: ArgumentHelp(
      "The model to read a source with that does not hold its own: .xcdatamodeld, .xcdatamodel, .momd, .mom, or another store.",
      discussion:
        "The version that explains the store is found; or name it: App.xcdatamodeld#Model 3.",
      valueName: "model"
    )
  )
  var model: String?

  @Flag(help: "Copy sync metadata too: iCloud keys, CloudKit mirror, persistent history.")
  var keepMetadata = false

  @Flag(
    help: ArgumentHelp(
      "Read a private copy of the source, so that its writers need not wait.",
      discussion: "They wait for the whole copy otherwise, unless the source has a write-ahead log."
    )
  )
  var privateCopy = false

  /// Refuses rules where nothing says where to begin; `begins` says whether another option does.
  func checkRules(begins: Bool = false) throws {
    if root.isEmpty, !rule.isEmpty, !begins {
      throw ValidationError("--rule says what is taken along: say where it begins, with --root 'Entity: condition'")
    }
  }
}

/// The options that say what is made or added to, without looking at what is there.
struct AddingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Make the new store after this one: a store, or the .momd of a built app, of the source's model version.",
      discussion:
        "A store gives its tables, indexes, triggers and metadata; its objects do not matter.",
      valueName: "model"
    )
  )
  var template: String?

  @Flag(
    help: ArgumentHelp(
      "Make the new store after a model without version hashes, such as an .xcdatamodeld.",
      discussion: "An app opens it only after one step on a Mac, which the report names."
    )
  )
  var unversioned = false

  @Flag(help: "Add all objects as new ones to a store that holds objects already.")
  var append = false
}

/// The options that say how the destination is written.
struct WritingOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Write to a store that CloudKit mirrors, which is refused otherwise.",
      discussion: "The mirror may never send what was added."
    )
  )
  var force = false

  @Option(help: ArgumentHelp("Rows that are written and committed together.", valueName: "rows"))
  var batchSize: Int64 = 10_000

  @Option(
    help: ArgumentHelp(
      "Commit an existing destination as a whole, or batch by batch to be resumable.",
      discussion:
        "For very large runs: batches go into a copy of the store, which takes its place at the end.",
      valueName: "run|batch"
    )
  )
  var commit = CopyOptions.Commit.run

  @Option(
    help: ArgumentHelp(
      "What becomes of an object that the destination refuses: the copy stops, or it is left out.",
      valueName: "stop|reject"
    )
  )
  var onError = CopyOptions.OnError.stop

  @Option(
    help: ArgumentHelp(
      "An archive to put rejected objects into, each with the reason; import takes it.",
      valueName: "file"
    )
  )
  var rejects: String?

  @Option(
    help: ArgumentHelp(
      "How many objects may be rejected, or what share of them: with more nothing is published.",
      valueName: "count|share%"
    ),
    transform: RejectAllowance.init(argument:)
  )
  var maxRejects: RejectAllowance?

  @Flag(help: "Keep a copy of an existing destination, as NAME.backup-1, before it is changed.")
  var backup = false

  @Option(
    name: .customLong("keep-ids"),
    help: ArgumentHelp("Write down which object became which, as a SQLite database.", valueName: "file")
  )
  var keepIDs: String?

  @Flag(help: "Go on after the last batch of an interrupted copy.")
  var resume = false

  @Flag(help: "Start an interrupted copy over; without --resume that is what happens anyway.")
  var restart = false

  @Flag(inversion: .prefixedNo, help: "Read everything again and prove the copy equal.")
  var verify = true

  @Flag(help: "Print the counts, and write nothing.")
  var dryRun = false

  @Flag(name: .shortAndLong, help: "With --dry-run, print the statements too.")
  var verbose = false

  func validate() throws {
    if verbose, !dryRun {
      throw ValidationError("--verbose prints the statements of a --dry-run: say both")
    }
    if resume, restart { throw ValidationError("--resume and --restart exclude each other") }
    if batchSize < 1 { throw ValidationError("--batch-size must be at least 1") }
  }
}

/// How progress is shown.
struct ProgressOptions: ParsableArguments {
  @Option(
    name: .customLong("progress"),
    help: ArgumentHelp(
      "How progress is shown on standard error; auto is a bar on a terminal, else nothing.",
      valueName: "auto|bar|json|none"
    )
  )
  var style = ProgressLine.Style.auto

  /// The same beside a result that is printed while it is read: no line is drawn where that stands.
  var besideOutput: ProgressLine.Style {
    style == .auto && StandardOutput.terminalColumnCount != nil ? .none : style
  }
}

/// The options that say what is told, and how.
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
  /// Refuses a list of rejects where nothing is ever rejected; a mapping may say of links that something is.
  func checkRejects(_ mapping: MappingOptions) throws {
    guard mapping.mapping == nil else { return }
    if rejects != nil, onError == .stop {
      throw ValidationError("--rejects keeps what --on-error reject leaves out: say both")
    }
    if maxRejects != nil, onError == .stop {
      throw ValidationError("--max-rejects bounds what --on-error reject leaves out: say both")
    }
  }

  /// Enters what they say into the options of a copy.
  func enter(into options: inout CopyOptions) {
    options.writesMirroredStore = force
    options.batchSize = batchSize
    options.commit = commit
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
  /// Enters what they say into the options of a copy.
  func enter(into options: inout CopyOptions) {
    options.filters = self.where
    options.roots = root
    options.rules = rule
    options.model = model
    options.keepsMetadata = keepMetadata
    options.readsPrivateCopy = privateCopy
  }
}

/// How many objects may be rejected: `10`, or `0.5%` of all.
enum RejectAllowance: Sendable, Hashable {
  case count(Int64)
  /// 0 to 1.
  case share(Double)

  init(argument: String) throws {
    if argument.hasSuffix("%"), let percent = Double(argument.dropLast()), percent >= 0,
      percent <= 100
    {
      self = .share(percent / 100)
    } else if let count = Int64(argument), count >= 0 {
      self = .count(count)
    } else {
      throw ValidationError("--max-rejects is a number like 10, or a share of all like 0.5%")
    }
  }
}

extension CopyOptions.Commit: ExpressibleByArgument {}
extension CopyOptions.OnError: ExpressibleByArgument {}
extension ProgressLine.Style: ExpressibleByArgument {}

extension CopyOptions.Filter {
  /// Reads `Entity: condition`.
  init(argument: String) throws {
    let parts = argument.split(separator: ":", maxSplits: 1)
    let trimmed = parts.map(\.trimmed)
    guard trimmed.count == 2, trimmed.allSatisfy({ !$0.isEmpty }) else {
      throw ValidationError("write the condition as 'Entity: expression', like 'Recipe: rating >= 4'")
    }
    self.init(entity: trimmed[0], expression: trimmed[1])
  }
}

extension CopyOptions.Rule {
  /// Reads `Entity.relationship=rule`.
  init(argument: String) throws {
    let words = ClosureRule.allCases.map(\.rawValue)
    guard let sign = argument.lastIndex(of: "=") else {
      throw ValidationError("write the rule as 'Recipe.category=stop'")
    }
    let name = argument[..<sign].trimmed
    let word = argument[argument.index(after: sign)...].trimmed
    guard !name.isEmpty, let rule = ClosureRule(rawValue: word) else {
      throw ValidationError("write the rule as 'Recipe.category=stop': it is one of \(words.joined(separator: ", "))")
    }
    self.init(name, rule)
  }
}
