/// One difference between two versions of a model, and what it asks of a migration.
public struct ModelChange: Sendable, Hashable {
  /// What changed; scripts know a change by this word.
  public var kind: Kind
  /// The entity or property concerned, `Recipe` or `Recipe.title`: as the later model calls it, or where it is
  /// removed the earlier one.
  public var subject: String
  /// The change as a person reads it; with what the store holds, where that was asked.
  public var text: String
  /// What it asks for; where the store was not asked, what it asks for at most.
  public var demand: Demand
  /// How many objects of the store are concerned; `nil` where none were to be counted.
  public var count: Int64?
  /// The first of them, as `Recipe p12`; of objects that agree pairs, as `Recipe p1 and p5`.
  public var examples: [String] = []
  /// Of a uniqueness that is added, the properties that must differ; else empty.
  public var constraint: [String] = []
  /// What of the store decides; `nil` where the models tell it all.
  package var question: DataQuestion?

  /// Describes a change of `subject`.
  public init(_ kind: Kind, _ subject: String, _ text: String, _ demand: Demand) {
    self.kind = kind
    self.subject = subject
    self.text = text
    self.demand = demand
  }

  init(_ kind: Kind, _ subject: String, _ text: String, _ question: DataQuestion) {
    self.init(kind, subject, text, question.demandOfSome)
    self.question = question
  }

  /// Whether a store is the same with it as without, where the versions have the same tables, and each value of the one
  /// is a value of the other.
  package var leavesFile: Bool {
    switch kind {
    case .typeChanged, .requiredToOptional, .optionalToRequired: demand < .mapping
    case .abstractChanged, .countBoundsChanged, .deleteRuleChanged,
      .versionHashModifierChanged, .versionHashChanged:
      demand < .mapping
    default: demand == .nothing
    }
  }

  /// Whether something that the store holds is gone afterwards, and nobody is asked.
  public var isLoss: Bool {
    guard demand < .mapping, let count, count > 0 else { return false }
    return switch kind {
    case .attributeRemoved, .relationshipRemoved, .transientChanged: true
    default: false
    }
  }

  /// Has the change ask for nothing, and the store not be asked.
  package mutating func needNothing() {
    demand = .nothing
    question = nil
  }

  /// What a change asks of a migration, from little to much.
  public enum Demand: String, Sendable, Hashable, CaseIterable, Comparable {
    /// Nothing: the store can be opened as it is.
    case nothing
    /// A migration that Core Data infers too.
    case inferred
    /// A migration that decant infers, and Core Data does not.
    case beyondCoreData
    /// Somebody has to decide: a mapping.
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
  /// What the changes ask for together; nothing where there are none.
  package var demand: ModelChange.Demand { map(\.demand).max() ?? .nothing }
}
