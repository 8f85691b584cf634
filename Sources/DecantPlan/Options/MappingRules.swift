package import DecantBase

/// The rules of a mapping file for entities, relationships and shares.
extension Mapping {
  /// A generator of identifiers that the source does not have.
  package enum Generator: Sendable, Hashable {
    /// A name-based UUID of the values of these attributes of the destination: equal content always gives the same one.
    case content([Word])
    /// A name-based UUID of the source's identifier, the entity and the object's key.
    ///
    /// It is the same in every run and every copy of this store, and different from that of any object of another
    /// store.
    case object
    /// A random UUID, different in each run.
    case random
  }

  /// An attribute with generated values.
  package struct Generated: Sendable, Hashable {
    /// The attribute of the destination.
    package var attribute: Word
    package var generator: Generator

    /// Creates the rule that `generator` generates the values of `attribute`.
    package init(_ attribute: Word, _ generator: Generator) {
      self.attribute = attribute
      self.generator = generator
    }
  }

  /// The value of a property.
  package struct Setting: Sendable, Hashable {
    /// The property of the destination.
    package var property: Word
    /// An SQL expression on the source's attribute names; for a relationship the name of the source's.
    package var value: Word
    /// Whether the value is `$self`: the link leads to the result of the same source object.
    package var isOwnObject = false

    /// Creates the rule that `property` has the value `value`.
    package init(_ property: Word, _ value: Word) {
      self.property = property
      self.value = value
    }
  }

  /// The way in which values are anonymised.
  package enum Anonymization: String, Sendable, Hashable, CaseIterable {
    /// Equal values become equal values without meaning.
    case hash
    /// Every value becomes the same one.
    case redact
  }

  /// An attribute whose values are anonymised.
  package struct Anonymized: Sendable, Hashable {
    /// The attribute of the destination.
    package var attribute: Word
    package var anonymization: Anonymization

    /// Creates the rule that values of `attribute` are anonymised.
    package init(_ attribute: Word, _ anonymization: Anonymization) {
      self.attribute = attribute
      self.anonymization = anonymization
    }
  }

  /// The rule for objects of one entity of the destination.
  package struct EntityRule: Sendable, Hashable {
    /// The entity of the destination.
    package var name: Word
    /// The entities of the source whose objects are converted; empty for the one of the same name.
    package var sources: [Word] = []
    /// The condition of these objects, on the source's attribute names.
    package var condition: Word?
    /// The identity of the destination's objects.
    package var identity: [Word] = []
    /// The attributes with generated values.
    package var generated: [Generated] = []
    package var merge: Merge?
    package var settings: [Setting] = []
    /// The attributes and relationships of the source's entities that are omitted.
    package var dropped: [Word] = []
    /// The attributes of the destination that are anonymised.
    package var anonymized: [Anonymized] = []

    /// Creates an empty rule for the entity `name`.
    package init(_ name: Word) { self.name = name }
  }

  /// The rule for links of one relationship, in one direction.
  package struct RelationshipRule: Sendable, Hashable {
    /// The name `Entity.relationship`, of the destination.
    package var name: Word
    /// The closure rule; `nil` for the default.
    package var rule: ClosureRule?
    /// The rule for a link without target; `nil` for the default.
    package var missing: Missing?
    /// The maximum number of such links on the way from a root; `nil` for any number.
    package var depth: Int?
    /// The condition of targets, on the destination's attribute names.
    package var condition: Word?

    /// Creates an empty rule for the relationship `name`.
    package init(_ name: Word) { self.name = name }
  }

  /// The roots of a share, of one entity.
  package struct Root: Sendable, Hashable {
    package var entity: Word
    /// The condition of the objects, with `:name` for parameters.
    package var condition: Word

    /// Creates roots: the objects of `entity` that satisfy `condition`.
    package init(_ entity: Word, _ condition: Word) {
      self.entity = entity
      self.condition = condition
    }
  }

  /// A named part of a store.
  package struct Share: Sendable, Hashable {
    package var name: Word
    /// The roots: conditions by entity, with `:name` for parameters.
    package var roots: [Root] = []
    /// The `Entity.attribute` names that are left empty.
    package var stripped: [Word] = []
    /// The size limits; `nil` for none.
    package var maxObjects: Int64?
    package var maxBytes: Int64?

    /// Creates an empty share.
    package init(_ name: Word) { self.name = name }
  }
}
