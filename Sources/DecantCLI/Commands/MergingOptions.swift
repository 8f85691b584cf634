public import ArgumentParser
internal import DecantBase
internal import DecantPlan
internal import DecantTransfer

/// The options for matching objects, and for handling differences between matched objects.
struct MergingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What to do with objects that differ: skip, update, fill, newest, keep-both, replace, three-way or error.",
      discussion: .detail(
        """
        skip keeps the destination's values; update takes the source's; fill takes them only where the destination \
        has none; newest takes them if the source's object is newer ('Recipe: newest by modifiedAt'); keep-both adds \
        a second object; replace does the same as update and removes many-to-many links and parts that the source \
        does not have; three-way takes what only the source has changed or removed since --base, and keeps what both \
        have changed; error stops. May be repeated to set the policy of single entities: 'Recipe: update'.
        """
      ),
      valueName: "policy"
    ),
    completion: .policy,
    transform: MergeArgument.init(argument:)
  )
  var merge: [MergeArgument] = []

  @OptionGroup
  var pairing: PairingOptions

  @Option(
    help: ArgumentHelp(
      "For three-way: the common ancestor of both stores.",
      discussion: .detail("A backup from before the changes, or the archive that was sent."),
      valueName: "store"
    ),
    completion: .file()
  )
  var base: [String] = []

  @Flag(help: "Ask about each conflict in the terminal.")
  var resolve = false

  @Option(
    help: ArgumentHelp(
      "List the conflicts in this new file.",
      discussion: .detail(
        """
        It has one line of JSON for each conflict, contains values, and only its owner can read it. Objects with a \
        conflict are not changed. The exit code is 3 if there are conflicts.
        """
      ),
      valueName: "file"
    ),
    completion: .file()
  )
  var conflicts: String?

  @Option(
    help: ArgumentHelp(
      "Apply the decisions entered in a --conflicts file.",
      discussion: .detail("Set “take” in each line."),
      valueName: "file"
    ),
    completion: .file()
  )
  var decisions: String?

  @Option(
    help: ArgumentHelp(
      "What to do with objects of the source that have the same identity: error, first or last (merge all into that one), or keep-both.",
      discussion: .detail("merge is for recipe files: recipes of the store that are nearly the same become one."),
      valueName: "rule",
      visibility: .rare
    )
  )
  var duplicates: MergeRules.Duplicates?

  @Option(
    help: ArgumentHelp(
      "Record the merged objects in this file. Those deleted since the last merge are not added again.",
      valueName: "file",
      visibility: .rare
    ),
    completion: .file()
  )
  var tombstones: String?

  @Option(
    help: ArgumentHelp(
      "Explain what a merge would do with an object.",
      discussion: .detail(
        """
        Nothing is written. The object may be in the source or in the destination. Write a key that is text or has \
        several columns as 'city Ulm, DE'.
        """
      ),
      valueName: "ENTITY KEY"
    ),
    completion: .entity,
    transform: ObjectName.init(argument:)
  )
  var why: ObjectName?

  /// Whether any option asks for matching objects.
  var isWanted: Bool {
    !merge.isEmpty || !base.isEmpty || pairing.isSaid || duplicates != nil || tombstones != nil
  }

  func validate() throws {
    if merge.count(where: { $0.entity == nil }) > 1 {
      throw ValidationError("--merge sets the policy of all entities more than once: keep one")
    }
    if base.count > 1 {
      throw ValidationError("--base takes one store: first import the parts of an archive into a new store")
    }
    if base.first == "-" { throw ValidationError("--base is read more than once: name a file, not standard input") }
    if !base.isEmpty, !merge.isEmpty, !merge.contains(where: { $0.rule.policy == .threeWay }) {
      throw ValidationError("--base is for --merge three-way, which need not be given then")
    }
    if resolve, conflicts != nil || decisions != nil {
      throw ValidationError("--resolve decides in the terminal, and cannot be combined with --conflicts or --decisions")
    }
    if let conflicts, conflicts == decisions {
      throw ValidationError("--conflicts and --decisions must be different files")
    }
    let names = merge.compactMap(\.entity)
    if Set(names).count < names.count { throw ValidationError("--merge names an entity twice: keep one policy") }
  }

  /// Returns the rules, or `nil` if objects are not merged; `policy` is used if no option sets one.
  ///
  /// The default policy of a mapping takes precedence over `policy`.
  func rules(byDefault policy: MergePolicy?, _ mapping: Mapping? = nil) -> MergeRules? {
    guard isWanted || policy != nil else { return nil }
    var rules = MergeRules(policy ?? .error)
    if let general = mapping?.defaults.merge { rules.rule = general.rule }
    if !base.isEmpty, merge.isEmpty { rules.rule = MergeRules.Rule(.threeWay) }
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
  /// Parses `Entity 17`, `Entity p17`, and `Entity value, value` for a key of texts or of several columns.
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

  /// Parses `policy`, `Entity: policy`, and `… newest by attribute`.
  init(argument: String) throws {
    let parts = argument.split(separator: ":", maxSplits: 1).map { $0.trimmed }
    let words = (parts.last ?? "").split(separator: " ").map(String.init)
    if parts.count == 2 { entity = parts[0] }
    guard let policy = words.first.flatMap({ MergePolicy(rawValue: $0) }),
      words.count == 1 || (words.count == 3 && words[1] == "by" && policy == .newest),
      entity != ""
    else {
      let policies = MergePolicy.allCases.map(\.rawValue)
      if let nearest = words.first?.nearest(in: policies), nearest != words.first {
        throw ValidationError("there is no policy “\(words[0])”: did you mean \(nearest)?")
      }
      throw ValidationError(
        "write a policy, \(policies.joined(separator: ", ")), or one for an entity, as in 'Recipe: newest by modifiedAt'"
      )
    }
    rule = MergeRules.Rule(policy, by: words.count == 3 ? words[2] : nil)
  }
}

extension MergeRules.Duplicates: ExpressibleByArgument {}
