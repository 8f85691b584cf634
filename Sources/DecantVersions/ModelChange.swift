/// One difference between two versions of a model, and what it demands of a migration.
public struct ModelChange: Sendable, Hashable {
  /// The kind of the change; scripts identify a change by its raw value.
  public var kind: Kind
  /// The entity or property concerned, such as `Recipe` or `Recipe.title`.
  ///
  /// It has the later model's name, or the earlier model's name if it was removed.
  public var subject: String
  /// The change in words, including what the store holds if the store was examined.
  public var text: String
  /// What the change demands; the most it can demand if the store was not examined.
  public var demand: Demand
  /// The number of the store's objects concerned; `nil` if nothing had to be counted.
  public var count: Int64?
  /// The first of these objects, such as `Recipe p12`; pairs for objects with equal values, such as `Recipe p1 and p5`.
  public var examples: [String] = []
  /// The properties that must differ, for an added uniqueness constraint; otherwise empty.
  public var constraint: [String] = []
  /// The question to the store that decides the demand; `nil` if the models alone decide it.
  package var question: DataQuestion?

  /// Describes a change of `subject`.
  package init(_ kind: Kind, _ subject: String, _ text: String, _ demand: Demand) {
    self.kind = kind
    self.subject = subject
    self.text = text
    self.demand = demand
  }

  init(_ kind: Kind, _ subject: String, _ text: String, _ question: DataQuestion) {
    self.init(kind, subject, text, question.demandOfSome)
    self.question = question
  }

  /// Whether the change leaves the store file unchanged, provided that both versions have the same tables and each
  /// value of one version is a value of the other.
  package var leavesFile: Bool {
    switch kind {
    case .typeChanged, .requiredToOptional, .optionalToRequired: demand < .mapping
    case .abstractChanged, .countBoundsChanged, .deleteRuleChanged,
      .versionHashModifierChanged, .versionHashChanged:
      demand < .mapping
    default: demand == .nothing
    }
  }

  /// Whether something that the store holds is lost without a decision by the user.
  public var isLoss: Bool {
    guard demand < .mapping, let count, count > 0 else { return false }
    return switch kind {
    case .attributeRemoved, .relationshipRemoved, .transientChanged: true
    default: false
    }
  }

  /// Sets the demand to nothing and drops the question to the store.
  package mutating func needNothing() {
    demand = .nothing
    question = nil
  }

  /// What a change demands of a migration, in ascending order.
  public enum Demand: String, Sendable, Hashable, CaseIterable, Comparable {
    /// Nothing: the store can be opened as it is.
    case nothing
    /// A migration that Core Data infers too.
    case inferred
    /// A migration that decant infers but Core Data does not.
    case beyondCoreData
    /// A decision by the user: a mapping.
    case mapping

    public static func < (one: Demand, other: Demand) -> Bool {
      (allCases.firstIndex(of: one) ?? 0) < (allCases.firstIndex(of: other) ?? 0)
    }
  }

  /// What changed.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case entityAdded = "entity-added"
    case entityRemoved = "entity-removed"
    case entityRenamed = "entity-renamed"
    case parentChanged = "parent-changed"
    case hierarchiesMerged = "hierarchies-merged"
    case abstractChanged = "abstract-changed"
    case uniquenessAdded = "uniqueness-added"
    case uniquenessRemoved = "uniqueness-removed"
    case attributeAdded = "attribute-added"
    case attributeRemoved = "attribute-removed"
    case attributeRenamed = "attribute-renamed"
    case attributeMoved = "attribute-moved"
    case typeChanged = "type-changed"
    case optionalToRequired = "optional-to-required"
    case requiredToOptional = "required-to-optional"
    case transientChanged = "transient-changed"
    case derivationChanged = "derivation-changed"
    case externalStorageChanged = "external-storage-changed"
    case transformerChanged = "transformer-changed"
    case defaultChanged = "default-changed"
    case validationChanged = "validation-changed"
    case relationshipAdded = "relationship-added"
    case relationshipRemoved = "relationship-removed"
    case relationshipRenamed = "relationship-renamed"
    case relationshipMoved = "relationship-moved"
    case toOneToMany = "to-one-to-to-many"
    case toManyToOne = "to-many-to-to-one"
    case orderingChanged = "ordering-changed"
    case destinationChanged = "destination-changed"
    case inverseChanged = "inverse-changed"
    case countBoundsChanged = "count-bounds-changed"
    case deleteRuleChanged = "delete-rule-changed"
    case indexChanged = "index-changed"
    case versionHashModifierChanged = "version-hash-modifier-changed"
    case versionHashChanged = "version-hash-changed"
    case classChanged = "class-changed"
    case userInfoChanged = "user-info-changed"
  }
}

extension [ModelChange] {
  /// The highest demand of all changes; `nothing` if there are no changes.
  package var demand: ModelChange.Demand { map(\.demand).max() ?? .nothing }
}
