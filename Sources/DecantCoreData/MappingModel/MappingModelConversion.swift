package import DecantBase
package import DecantPlan

/// A mapping model converted to a mapping that decant can perform, with its losses.
package struct MappingModelConversion: Sendable, Hashable {
  /// The mapping, which makes the destination's objects like Core Data.
  package var mapping: Mapping
  /// Source entities that are not mapped, sorted.
  package var lostEntities: [String]
  /// Attributes and relationships of the source that are not read, sorted; without those of lost entities.
  package var lostProperties: [Property]
}

extension MappingModel {
  /// Returns this conversion combined with another one for the same step.
  ///
  /// Apps split a step if its objects do not fit into memory at once: each mapping model handles some of the entities,
  /// and objects of one can have links to those of another.
  package func joined(with other: MappingModel) -> MappingModel {
    var joined = self
    joined.entityMappings += other.entityMappings
    return joined
  }

  /// Converts this mapping model to a mapping.
  ///
  /// Core Data takes objects of exactly the entity that a mapping names, without its subentities, drops unmapped
  /// entities, and drops properties that are not read. The mapping does the same, and lists the losses.
  ///
  /// - Parameters:
  ///   - source: The version of the source model.
  ///   - destination: The version of the destination model.
  ///   - file: A mapping file for the same step. Its rule for a destination entity replaces all entity mappings to that
  ///     entity, including those with code; its other parts apply to the whole.
  /// - Returns: The mapping, and its losses.
  /// - Throws: `DecantError` of the family `.modelMismatch` that names all policy classes, expressions and predicates
  ///   that decant cannot perform, each with its entity mapping.
  package func conversion(from source: Model, to destination: Model, besides file: Mapping? = nil)
    throws(DecantError) -> MappingModelConversion
  {
    var converter = MappingModelConverter(completed(from: source, to: destination), source, destination, file)
    return try converter.conversion()
  }
}
