public import DecantStore

/// What becomes of an object that the destination has already, with other values.
///
/// One that is equal is left alone under every policy; and under every policy what led to the source's
/// object leads to its matched object afterwards.
public enum MergePolicy: String, Sendable, Hashable, CaseIterable {
  /// The merge ends, and nothing is changed.
  case error
  /// The destination's object stays as it is.
  case skip
  /// It takes the source's values, empty ones too; a link that leads nowhere overwrites none.
  case update
  /// It takes the source's values where it has none of its own.
  case fill
  /// It takes the source's values if the source's object was changed later.
  case newest
  /// Both stay: the source's becomes a new object, with an identity and a title of its own.
  case keepBoth = "keep-both"
  /// As `update`; and where many objects lead to many, only the source's links stay.
  case replace
  /// Each value that only the source has changed since both had the same is taken, and each that only the
  /// destination has changed stays; of an object with a value that both have changed both versions stay, as with `keepBoth`,
  /// unless conflicts are listed or asked about.
  ///
  /// What the two had is in the store that `MergeRules.base` names. What one has removed since, and the other left as it
  /// was, is removed.
  case threeWay = "three-way"
}

/// How objects are merged with those that are there.
public struct MergeRules: Sendable, Hashable {
  /// What becomes of objects of the source that have the same identity.
  public enum Duplicates: String, Sendable, Hashable, CaseIterable {
    /// The merge ends, and nothing is changed.
    case error
    /// The one with the lowest key counts for all, or the one with the highest.
    case first, last
    /// Each is an object of its own: all but the first get another identity.
    case keepBoth = "keep-both"
    /// Recipes of a recipe store that are nearly the same become one, whenever they came; nothing else has this rule.
    case merge
  }

  /// What holds for one entity, and all below it.
  public struct Rule: Sendable, Hashable {
    public var policy: MergePolicy
    /// The attribute by which `newest` tells what was changed later; `nil` to look for one.
    public var attribute: String?
    /// Attributes and links to one object that the destination's object keeps whatever the policy says.
    public var keeps: [String] = []
    /// Whether it is the rule of the owner: the outcome of a part depends on that of its owner.
    package var followsOwner = false

    /// Pairs a policy with the attribute that it needs.
    public init(_ policy: MergePolicy, by attribute: String? = nil) {
      self.policy = policy
      self.attribute = attribute
    }
  }

  /// Whether two stores go back to one.
  public enum LineageRule: String, Sendable, Hashable {
    /// It is found out from a sample of each root entity.
    case found
    /// They do: equal keys are the same object.
    case same
    /// They do not: keys say nothing.
    case none
  }

  /// What holds for every entity that has no rule of its own.
  public var rule: Rule
  /// Rules by entity.
  public var rules: [String: Rule] = [:]
  /// What tells the objects of an entity apart, by entity: attributes, and to-one relationships.
  public var identities: [String: [String]] = [:]
  /// Entities whose objects no attribute tells apart that was not named: none is looked for.
  public var withoutIdentity: Set<String> = []
  /// Whether both stores go back to one, so that equal keys are the same object.
  public var lineage = LineageRule.found
  /// Whether one of two stores is what the other went on from.
  package var isAboutAncestor = false
  /// The attributes that were found to tell objects apart, by entity; they stand among the identities, too.
  package var foundIdentities: [String: String] = [:]
  /// How many objects have the key of one in the destination that is another one, by root entity.
  package var unequalKeys: [String: Int64] = [:]
  /// How many objects were paired by another uniqueness constraint than the first, by entity.
  package var furtherPairs: [String: Int64] = [:]
  /// How many parts were not added, as what they belong to is there already, by entity.
  package var surplusParts: [String: Int64] = [:]
  /// How many of these no other policy would add, by entity.
  package var idleParts: [String: Int64] = [:]
  /// How many objects stay as nothing says which of both was changed later, by root entity.
  package var undatedCounts: [String: Int64] = [:]
  /// The titles of the first objects known by `likeness` that stay with other values.
  package var stayingTitles: [String] = []
  /// The ways that the source supplies by which objects of an entity are the same.
  package var likeness: Likeness?
  /// The root entities whose objects kept their keys, once that was found out.
  package var keptKeys: Set<String>?
  /// Whether objects that the common ancestor lacks, and both stores have, stay as the destination has them.
  package var leavesUnknown = false
  /// What becomes of duplicates inside the source; `nil` for an error where the identity was declared, and for
  /// telling them apart by what they hold where the model promised what it does not keep.
  public var duplicates: Duplicates?
  /// The common ancestor of both stores, which `threeWay` needs: an archive that was sent, a backup.
  public var base: StoreLocation?
  /// A file that is made to list conflicts in, as the manual's page “Conflicts” describes it; objects with a conflict stay as
  /// the destination has them.
  public var conflictsFile: String?
  /// Such a file, with the decisions that are carried out.
  public var decisionsFile: String?
  /// Whether objects that both stores have changed in different ways stay as the destination has them, and are listed.
  public var listsConflicts: Bool {
    conflictsFile != nil || decisionsFile != nil || asksAboutConflicts
  }
  /// Whether whoever runs the copy is asked about each conflict.
  public var asksAboutConflicts = false
  /// Where identities are remembered that were merged once, if they are: what is gone since stays away.
  public var tombstoneFile: String?
  /// Where a mapping file says it.
  package var places = Places()

  /// Where names stand in a mapping file, such as `map.yaml:12:5`, by entity and name.
  package struct Places: Sendable, Hashable {
    package var identities: [String: [String: String]] = [:]
    package var keeps: [String: [String: String]] = [:]
    package var times: [String: String] = [:]
  }

  /// The rules as a plan's text has them: equal rules have equal texts.
  var canonicalText: String {
    func text(_ rule: Rule) -> String {
      rule.policy.rawValue + (rule.attribute.map { " by \($0)" } ?? "")
        + (rule.keeps.isEmpty ? "" : " but \(rule.keeps.joined(separator: ", "))")
    }
    let own = rules.sorted { $0.key < $1.key }.map { "\($0.key): \(text($0.value))" }
    let names = identities.sorted { $0.key < $1.key }.map {
      "\($0.key) is \($0.value.joined(separator: ", "))"
    }
    let none = withoutIdentity.sorted().map { "\($0) is nothing" }
    let since = base.map { ["base \($0)"] } ?? []
    return
      ([text(rule)] + own + names + none + [
        "lineage \(lineage.rawValue)", "duplicates \(duplicates?.rawValue ?? "-")",
      ] + since + (leavesUnknown ? ["unknown objects left"] : []) + (listsConflicts ? ["conflicts listed"] : []))
      .joined(separator: "; ")
  }

  /// Whether some objects are compared with what they were in the common ancestor.
  package var needsBase: Bool { ([rule] + rules.values).contains { $0.policy == .threeWay } }

  /// Merges by `policy`; identities are those that the model promises, else what objects hold.
  public init(_ policy: MergePolicy = .skip) { rule = Rule(policy) }
}
