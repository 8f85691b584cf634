public import ArgumentParser
internal import DecantPlan
internal import DecantTransfer

/// The options that say which objects are the same, and what becomes of those that differ.
struct MergingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What becomes of an object that is there with other values; for one entity as 'Recipe: POLICY'. May be repeated.",
      discussion: """
        error, skip, update (take the source's values), fill (only where there is none), newest (if the \
        source's is newer; 'Recipe: newest by modifiedAt'), keep-both, replace (as update; and of links \
        from many to many only the source's stay), three-way (what only one of the two has changed or \
        removed since --base counts; of what both have changed both stay). One that is equal is always left alone.
        """,
      valueName: "policy"
    ),
    transform: MergeArgument.init(argument:)
  )
  var merge: [MergeArgument] = []

  @Option(
    help: ArgumentHelp(
      "The common ancestor of both for three-way: the archive that was sent, or a backup of that time.",
      valueName: "store"
    )
  )
  var base: [String] = []

  @Option(
    help: ArgumentHelp(
      "List conflicts in this new file, a line of JSON each; objects with a conflict stay as they are.",
      discussion: """
        The file holds values and is readable by its owner alone. Exit code 3 if there are conflicts.
        """,
      valueName: "file"
    )
  )
  var conflicts: String?

  @Option(help: ArgumentHelp("Carry out the decisions of such a file: fill in “take” on each line.", valueName: "file"))
  var decisions: String?

  @Flag(help: "Ask about each conflict in the terminal.")
  var resolve = false

  @OptionGroup
  var pairing: PairingOptions

  @Option(
    help: ArgumentHelp(
      "What becomes of objects of the source that have one identity: error, first, last (one counts for all), keep-both.",
      valueName: "rule"
    )
  )
  var duplicates: MergeRules.Duplicates?

  @Option(
    help: ArgumentHelp(
      "Remember in this file what was merged: what was deleted since does not come back.",
      valueName: "file"
    )
  )
  var tombstones: String?

  @Option(
    help: ArgumentHelp(
      "Say what would become of an object of the source, or which one an object of the destination is, and why; nothing is written. A key of texts or several columns: 'city Ulm, DE'.",
      valueName: "ENTITY KEY"
    ),
    transform: ObjectName.init(argument:)
  )
  var why: ObjectName?

  /// Whether objects are to be merged, or told apart.
  var isWanted: Bool {
    !merge.isEmpty || pairing.isSaid || duplicates != nil || tombstones != nil
  }

  func validate() throws {
    if merge.count(where: { $0.entity == nil }) > 1 {
      throw ValidationError("--merge says what holds for all entities more than once")
    }
    if base.count > 1 {
      throw ValidationError("--base names one store: parts of an archive are imported into a new one first")
    }
    if base.first == "-" { throw ValidationError("--base names a file: it is read more than once") }
    if !base.isEmpty, !merge.contains(where: { $0.rule.policy == .threeWay }) {
      throw ValidationError("--base goes with --merge three-way")
    }
    if resolve, conflicts != nil || decisions != nil {
      throw ValidationError("--resolve decides in the terminal, and cannot be combined with --conflicts or --decisions")
    }
    if let conflicts, conflicts == decisions {
      throw ValidationError("--conflicts and --decisions are two files")
    }
    let names = merge.compactMap(\.entity)
    if Set(names).count < names.count { throw ValidationError("an entity is named twice") }
  }

  /// The rules, or `nil` where objects are not merged; `policy` holds where nothing is said.
  ///
  /// What a mapping says of all entities counts more than `policy`.
  func rules(byDefault policy: MergePolicy?, _ mapping: Mapping? = nil) -> MergeRules? {
    guard isWanted || policy != nil else { return nil }
    var rules = MergeRules(policy ?? .error)
    if let general = mapping?.defaults.merge { rules.rule = general.rule }
    for argument in merge {
      if let entity = argument.entity {
        rules.rules[entity] = argument.rule
      } else {
        rules.rule = argument.rule
      }
    }
    pairing.enter(&rules)
    if let duplicates { rules.duplicates = duplicates }
    rules.tombstoneFile = tombstones
    (rules.conflictsFile, rules.decisionsFile) = (conflicts, decisions)
    rules.asksAboutConflicts = resolve
    rules.base = base.first.map(StoreKinds.location)
    return rules
  }
}

extension ObjectName {
  /// Reads `Entity 17`, `Entity p17`, and `Entity value, value` for a key of texts or of several columns.
  init(argument: String) throws {
    let words = argument.split(separator: " ", maxSplits: 1)
    guard words.count == 2 else {
      throw ValidationError("name the object as 'Entity key', like 'Recipe 17'")
    }
    if let key = Int64(words[1].hasPrefix("p") ? words[1].dropFirst() : words[1]) {
      self.init(entity: String(words[0]), key: key)
    } else {
      let values = words[1].split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
      self.init(entity: String(words[0]), key: values)
    }
  }
}

/// A policy, for all entities or for one.
struct MergeArgument: Sendable, Hashable {
  var entity: String?
  var rule: MergeRules.Rule

  /// Reads `policy`, `Entity: policy`, and `… newest by attribute`.
  init(argument: String) throws {
    let parts = argument.split(separator: ":", maxSplits: 1).map { $0.trimmed }
    let words = (parts.last ?? "").split(separator: " ").map(String.init)
    if parts.count == 2 { entity = parts[0] }
    guard let policy = words.first.flatMap({ MergePolicy(rawValue: $0) }),
      words.count == 1 || (words.count == 3 && words[1] == "by" && policy == .newest),
      entity != ""
    else {
      let policies = MergePolicy.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("write a policy, \(policies), or one for an entity, as in 'Recipe: newest by modifiedAt'")
    }
    rule = MergeRules.Rule(policy, by: words.count == 3 ? words[2] : nil)
  }
}

extension MergeRules.Duplicates: ExpressibleByArgument {}
