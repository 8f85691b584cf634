internal import DecantBase

/// A question to a store whose answer decides what a change demands: how many objects block the change.
package struct DataQuestion: Sendable, Hashable {
  /// The condition that is checked for each object.
  enum Matter: Sendable, Hashable {
    /// Whether the object exists.
    case presence(Loss)
    /// Whether it has a value, or with `isMissing` no value.
    case value(Property, isMissing: Bool)
    /// Whether its value cannot be converted to the other type without loss.
    case unfitValue(Property, from: String, to: String)
    /// Whether it has a value of a type that is never converted to the other type.
    case foreignValue(Property, to: String)
    /// Whether it has a link, or with `isMissing` no link.
    case link(Property, isMissing: Bool)
    /// Whether it has more links than the limit.
    case links(Property, moreThan: Int)
    /// Whether it links to an object that another object links to as well.
    case shared(Property)
    /// Whether it links to an object outside these entities.
    case stray(Property, outside: [String])
    /// Whether another object has the same values.
    case sameValues([UniqueValues])
  }

  /// What is lost or missing for every object that exists.
  enum Loss: Sendable, Hashable {
    case object, concreteEntity, value, link
  }

  /// The values that must differ between the objects of an entity.
  struct UniqueValues: Sendable, Hashable {
    let entity: String
    /// `nil` for a value that is the same in all objects: the default value of a new attribute.
    let properties: [Property?]
  }

  /// The entities of the earlier model whose objects are counted, without their sub-entities.
  var entities: [String]
  var matter: Matter
  /// What the change demands if there is no such object (`demandOfNone`) and if there are some (`demandOfSome`).
  var demandOfNone: ModelChange.Demand
  var demandOfSome: ModelChange.Demand

  init(_ matter: Matter, of entities: [String], none: ModelChange.Demand, some: ModelChange.Demand) {
    self.matter = matter
    self.entities = entities
    demandOfNone = none
    demandOfSome = some
  }

  /// Returns the answer as the end of a sentence.
  func words(_ count: Int64, groupCount: Int64) -> String {
    let objects = count.counted("object")
    let (has, is_) = count == 1 ? ("has", "is") : ("have", "are")
    let none = count == 0
    return switch matter {
    case .presence(.object):
      none ? "it has no objects" : "\(objects) would be lost"
    case .presence(.concreteEntity):
      none ? "it has no objects" : "\(objects) \(is_) of exactly this entity"
    case .presence(.value):
      none ? "no object needs a value" : "\(objects) would have no value"
    case .presence(.link):
      none ? "no object needs a link" : "\(objects) would have no link"
    case .value(_, isMissing: false):
      none ? "no object has a value" : "the values of \(objects) are lost"
    case .value(_, isMissing: true):
      none ? "every object has a value" : "\(objects) \(has) no value"
    case .unfitValue(_, _, let type):
      none
        ? "every value converts to \(type) without loss"
        : "the values of \(objects) do not convert to \(type) without loss"
    case .foreignValue(_, let type):
      none
        ? "no object has a value"
        : "\(objects) \(has) a value, but no conversion to \(type) is defined"
    case .link(_, isMissing: false):
      none ? "no object has a link" : "the links of \(objects) are lost"
    case .link(_, isMissing: true):
      none ? "every object has a link" : "\(objects) \(has) no link"
    case .links(_, let limit):
      none ? "no object has more than \(limit)" : "\(objects) \(has) more than \(limit)"
    case .shared:
      none
        ? "no object is the target of several objects"
        : "\(objects) \(has) links to objects that others link to as well"
    case .stray:
      none
        ? "all link targets fit there" : "\(objects) \(has) links to targets that do not fit there"
    case .sameValues:
      none
        ? "no two objects have the same values"
        : "\(objects) have the same values as others, in \(groupCount.counted("group"))"
    }
  }
}
