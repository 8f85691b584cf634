package import DecantBase

/// What a mapping file says of entities, relationships and shares.
extension Mapping {
  /// How an identifier is made that the source does not have.
  package enum Generator: Sendable, Hashable {
    /// A name-based UUID of the values of these attributes of the destination: from equal content the same
    /// everywhere.
    case content([Word])
    /// A name-based UUID of the source's own identifier, its entity and the object's key: the same on every
    /// retry and in every copy of this store, and never that of another store's object.
    case object
    /// A random UUID, another one each time.
    case random
  }

  /// An attribute whose values are made.
  package struct Generated: Sendable, Hashable {
    /// The attribute of the destination.
    package var attribute: Word
    package var generator: Generator

    /// Has `generator` make the values of `attribute`.
    package init(_ attribute: Word, _ generator: Generator) {
      self.attribute = attribute
      self.generator = generator
    }
  }

  /// What fills a property.
  package struct Setting: Sendable, Hashable {
    /// The property of the destination.
    package var property: Word
    /// An expression over the source's attribute names, as SQL; for a relationship the name of the source's.
    package var value: Word
    /// Whether the value is `$self`: the link leads to what the same object of the source became.
    package var isOwnObject = false

    /// Fills `property` with `value`.
    package init(_ property: Word, _ value: Word) {
      self.property = property
      self.value = value
    }
  }

  /// How values are made unrecognisable.
  package enum Anonymization: String, Sendable, Hashable, CaseIterable {
    /// Equal values become equal ones that say nothing.
    case hash
    /// Every value becomes the same one.
    case redact
  }

  /// An attribute whose values are made unrecognisable.
  package struct Anonymized: Sendable, Hashable {
    /// The attribute of the destination.
    package var attribute: Word
    package var anonymization: Anonymization

    /// Has values of `attribute` disguised.
    package init(_ attribute: Word, _ anonymization: Anonymization) {
      self.attribute = attribute
      self.anonymization = anonymization
    }
  }

  /// How objects of one entity of the destination are made.
  package struct EntityRule: Sendable, Hashable {
    /// The entity of the destination.
    package var name: Word
    /// The entities of the source whose objects become such; empty for the one of the same name.
    package var sources: [Word] = []
    /// The condition that they meet, over the source's attribute names.
    package var condition: Word?
    /// What tells the destination's objects apart.
    package var identity: [Word] = []
    /// Attributes that are made, with how.
    package var generated: [Generated] = []
    package var merge: Merge?
    package var settings: [Setting] = []
    /// What of the source is left behind: attributes and relationships of the source's entities.
    package var dropped: [Word] = []
    /// Attributes of the destination that are made unrecognisable.
    package var anonymized: [Anonymized] = []

    /// Makes a rule that says nothing but whose it is.
    package init(_ name: Word) { self.name = name }
  }

  /// What links of one relationship do, in one direction.
  package struct RelationshipRule: Sendable, Hashable {
    /// `Entity.relationship`, of the destination.
    package var name: Word
    /// What is taken along; `nil` for the default.
    package var rule: ClosureRule?
    /// What becomes of a link whose target is not there; `nil` for the default.
    package var missing: Missing?
    /// How many such links may follow each other from a root on; `nil` for no bound.
    package var depth: Int?
    /// The condition that targets meet, over the destination's attribute names.
    package var condition: Word?

    /// Makes a rule that says nothing but whose it is.
    package init(_ name: Word) { self.name = name }
  }

  /// Where a share begins.
  package struct Root: Sendable, Hashable {
    package var entity: Word
    /// The condition of the objects, with `:name` for parameters.
    package var condition: Word

    /// Begins with the objects of `entity` that meet `condition`.
    package init(_ entity: Word, _ condition: Word) {
      self.entity = entity
      self.condition = condition
    }
  }

  /// A named part of a store.
  package struct Share: Sendable, Hashable {
    package var name: Word
    /// Where it begins: conditions by entity, with `:name` for parameters.
    package var roots: [Root] = []
    /// `Entity.attribute`, left empty.
    package var stripped: [Word] = []
    /// The most it may hold; `nil` for no bound.
    package var maxObjects: Int64?
    package var maxBytes: Int64?

    /// Makes a share of nothing.
    package init(_ name: Word) { self.name = name }
  }
}
