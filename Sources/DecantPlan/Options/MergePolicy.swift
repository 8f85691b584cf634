public import DecantStore

/// The policy for an object that already exists in the destination with other values.
///
/// Equal objects are left unchanged under every policy. Under every policy links to the source's object lead to its
/// matched object.
public enum MergePolicy: String, Sendable, Hashable, CaseIterable {
  /// The merge stops, and nothing is changed.
  case error
  /// The destination's object is left unchanged.
  case skip
  /// It takes the source's values, including empty ones; a dangling link overwrites nothing.
  case update
  /// It takes the source's values where it has none.
  case fill
  /// It takes the source's values if the source's object was changed later.
  case newest
  /// Both objects are kept: the source's becomes a new object, with a new identity and title.
  case keepBoth = "keep-both"
  /// As `update`; for many-to-many relationships only the source's links are kept.
  case replace
  /// It takes values that only the source changed since the common ancestor, and keeps those that only the destination
  /// changed.
  ///
  /// If both changed a value, both versions of the object are kept, as with `keepBoth`, unless conflicts are listed or
  /// asked about. The common ancestor is the store `MergeRules.base`. An object that one store removed and the other
  /// left unchanged is removed.
  case threeWay = "three-way"
}

/// The rules for merging objects with existing ones.
public struct MergeRules: Sendable, Hashable {
  /// The rule for objects of the source with the same identity.
  public enum Duplicates: String, Sendable, Hashable, CaseIterable {
    /// The merge stops, and nothing is changed.
    case error
    /// The object with the lowest or the highest key is used for all of them.
    case first, last
    /// Each is a separate object: all but the first get a new identity.
    case keepBoth = "keep-both"
    /// Recipes of a recipe store that are nearly the same become one, whenever each was added; only for recipes.
    case merge
  }

  /// The rule for one entity and all its subentities.
  public struct Rule: Sendable, Hashable {
    public var policy: MergePolicy
    /// The attribute by which `newest` determines the later change; `nil` to look for one.
    public var attribute: String?
    /// The attributes and to-one links that the destination's object keeps under every policy.
    public var keeps: [String] = []
    /// Whether it is the rule of the owner: the outcome of a part depends on that of its owner.
    package var followsOwner = false

    /// Creates a rule from a policy and its attribute.
    public init(_ policy: MergePolicy, by attribute: String? = nil) {
      self.policy = policy
      self.attribute = attribute
    }
  }

  /// Whether two stores have a common ancestor.
  public enum LineageRule: String, Sendable, Hashable {
    /// It is determined from a sample of each root entity.
    case found
    /// They do: equal keys mean the same object.
    case same
    /// They do not: equal keys have no meaning.
    case none
  }

  /// The rule for every entity without one of its own.
  public var rule: Rule
  /// The rules by entity.
  public var rules: [String: Rule] = [:]
  /// The identity of objects by entity: attributes, and to-one relationships.
  public var identities: [String: [String]] = [:]
  /// The entities for which no identity is searched if none is given.
  public var withoutIdentity: Set<String> = []
  /// Whether both stores have a common ancestor, so that equal keys mean the same object.
  public var lineage = LineageRule.found
  /// The one of two stores that is the ancestor of the other, if one is.
  package var ancestor: MatchSide?
  /// Whether one of two stores is the ancestor of the other.
  package var isAboutAncestor: Bool { ancestor != nil }
  /// The identifying attributes that decant found, by entity; `identities` contains them, too.
  package var foundIdentities: [String: String] = [:]
  /// The entities among these whose identity is their key, as its numbers are no counter.
  package var entitiesWithDataKeys: Set<String> = []
  /// The number of objects whose key belongs to another object in the destination, by root entity.
  package var unequalKeys: [String: Int64] = [:]
  /// The number of objects matched by another uniqueness constraint than the first, by entity.
  package var furtherPairs: [String: Int64] = [:]
  /// The number of parts that were not added, as their owner already exists, by entity.
  package var surplusParts: [String: Int64] = [:]
  /// The number of these that no other policy would add, by entity.
  package var idleParts: [String: Int64] = [:]
  /// The number of objects left unchanged, as the later change cannot be determined, by root entity.
  package var undatedCounts: [String: Int64] = [:]
  /// The titles of the first objects matched by `likeness` that are left with other values.
  package var stayingTitles: [String] = []
  /// The source's own methods to match objects of an entity.
  package var likeness: Likeness?
  /// The root entities whose objects kept their keys, once determined.
  package var keptKeys: Set<String>?
  /// Whether objects that both stores have but the common ancestor lacks stay as the destination has them.
  package var leavesUnknown = false
  /// The rule for duplicates within the source.
  ///
  /// `nil` means an error for a declared identity, and a distinction by content if the model's constraint is violated.
  public var duplicates: Duplicates?
  /// The common ancestor of both stores, which `threeWay` requires: an archive that was sent, a backup.
  public var base: StoreLocation?
  /// A new file for the list of conflicts, described on the manual's page “Conflicts”.
  ///
  /// Objects with a conflict stay as the destination has them.
  public var conflictsFile: String?
  /// A conflicts file with decisions to carry out.
  public var decisionsFile: String?
  /// Whether objects that both stores changed in different ways stay as the destination has them, and are listed.
  public var listsConflicts: Bool {
    conflictsFile != nil || decisionsFile != nil || asksAboutConflicts
  }
  /// Whether the caller is asked about each conflict.
  public var asksAboutConflicts = false
  /// The file of identities that were merged before, if used: objects deleted since are not added again.
  public var tombstoneFile: String?
  /// The places of the rules in a mapping file.
  package var places = Places()

  /// The places of names in a mapping file, such as `map.yaml:12:5`, by entity and name.
  package struct Places: Sendable, Hashable {
    package var identities: [String: [String: String]] = [:]
    package var keeps: [String: [String: String]] = [:]
    package var times: [String: String] = [:]
  }

  /// The text of the rules in a plan: equal rules have equal texts.
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

  /// Whether some objects are compared with the common ancestor.
  package var needsBase: Bool { ([rule] + rules.values).contains { $0.policy == .threeWay } }

  /// Creates rules with `policy`; objects are matched by the model's uniqueness constraints, otherwise by content.
  public init(_ policy: MergePolicy = .skip) { rule = Rule(policy) }
}
