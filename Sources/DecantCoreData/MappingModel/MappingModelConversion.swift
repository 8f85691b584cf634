package import DecantBase
package import DecantPlan

/// A mapping model as a mapping that decant carries out, and what it leaves behind.
package struct MappingModelConversion: Sendable, Hashable {
  /// What makes the destination's objects as Core Data would.
  package var mapping: Mapping
  /// Entities of the source that nothing is made of, sorted.
  package var lostEntities: [String]
  /// Attributes and relationships that the source's objects hold and nothing reads, sorted; those of lost entities are
  /// not among them.
  package var lostProperties: [Property]
}

extension MappingModel {
  /// Returns this mapping model and what another one of the same step adds to it.
  ///
  /// Apps split a step where its objects do not fit into memory at once: each mapping model takes some of the entities,
  /// and objects of one lead to those of another.
  package func joined(with other: MappingModel) -> MappingModel {
    var joined = self
    joined.entityMappings += other.entityMappings
    return joined
  }

  /// Returns what this mapping model says as a mapping.
  ///
  /// Core Data takes objects of exactly the entity that a mapping names, none of an entity below it, and makes nothing
  /// of what no mapping names; what nothing reads is dropped. So does the mapping, and lists it.
  ///
  /// - Parameters:
  ///   - source: The version of the model that it comes from.
  ///   - destination: The version that it leads to.
  ///   - file: A mapping file for the same step. What it says of an entity of the destination takes the place of every
  ///     entity mapping that leads there, those with code among them; its other parts hold for the whole.
  /// - Returns: The mapping, and what is lost by it.
  /// - Throws: `DecantError` of the family `.modelMismatch` that names all policy classes, expressions and predicates that
  ///   decant cannot carry out, each with its entity mapping.
  package func conversion(from source: Model, to destination: Model, besides file: Mapping? = nil)
    throws(DecantError) -> MappingModelConversion
  {
    var converter = MappingModelConverter(completed(from: source, to: destination), source, destination, file)
    return try converter.conversion()
  }
}
