/// A Core Data mapping model: rules that turn the objects of one model version into those of the next.
///
/// The value has the content of the file, compiled or as edited in Xcode. Nothing is looked up in a model, except that
/// `completed(from:to:)` completes the parts that Xcode leaves to its compiler.
package struct MappingModel: Sendable, Hashable {
  /// The file or folder that it was read from, as named by the user.
  package var place: String
  /// The entity mappings, in the order in which Core Data performs them.
  package var entityMappings: [EntityMapping]
  /// The source model as recorded in the file; a compiled mapping model has hashes instead.
  package var source: RecordedModel?
  /// The destination model as recorded in the file.
  package var destination: RecordedModel?

  /// The kind of an entity mapping, in the order of Core Data's numbers.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Not specified.
    case undefined
    /// The app's own code makes the objects.
    case custom
    /// The entity is new: no objects are made.
    case add
    /// The entity is removed: its objects are dropped.
    case remove
    /// Objects stay unchanged.
    case copy
    /// Objects are transformed.
    case transform
  }

  /// A rule that turns objects of a source entity into objects of a destination entity.
  package struct EntityMapping: Sendable, Hashable {
    /// The name used in expressions, such as `RecipeToRecipe`.
    package var name: String
    package var kind: Kind = .undefined
    /// The source entity; `nil` if the entity is new.
    package var sourceName: String?
    /// The destination entity; `nil` if the entity is removed.
    package var destinationName: String?
    /// The 32-byte version hash of each entity; a compiled model has them.
    package var sourceHash: [UInt8]?
    package var destinationHash: [UInt8]?
    /// The fetch request that selects the objects.
    package var sourceExpression: MappingExpression?
    /// The app's policy class; `nil` if Core Data performs the mapping itself.
    package var policy: String?
    /// The mappings of attributes, sorted by name.
    package var attributes: [PropertyMapping] = []
    /// The mappings of relationships, sorted by name.
    package var relationships: [PropertyMapping] = []
    /// The developer's values for a policy; only strings.
    package var userInfo: [String: String] = [:]
    /// Settings in the file whose meaning is unknown.
    package var unknown: [String] = []

    /// Creates an entity mapping without property mappings.
    package init(name: String) { self.name = name }
  }

  /// The mapping of one property of the destination.
  package struct PropertyMapping: Sendable, Hashable {
    /// The property of the destination.
    package var name: String
    package var value: Filling
    /// Settings in the file whose meaning is unknown.
    package var unknown: [String] = []

    /// Creates the mapping of a property.
    package init(_ name: String, _ value: Filling) {
      self.name = name
      self.value = value
    }
  }

  /// The source of a property's value.
  package enum Filling: Sendable, Hashable {
    /// Not specified: the default of the destination's model.
    case nothing
    case expression(MappingExpression)
    /// Left to Xcode's compiler: the source property of the same name.
    case automatic
    /// Left to Xcode's compiler: the results of the objects at `keyPath` in the mapping of this name.
    case links(keyPath: MappingExpression?, mapping: String?)
  }

  /// The names of entities and their own properties in a model, as recorded in a mapping model.
  package struct RecordedModel: Sendable, Hashable {
    /// The path of the model when the mapping model was made, such as `App.xcdatamodeld/App 2.xcdatamodel`.
    package var path: String
    /// Properties by entity, without inherited ones; `nil` if the file does not contain them.
    package var properties: [String: Set<String>]?

    /// The name of the version: its file name without the extension.
    package var versionName: String { ModelFile(path).stem }
  }
}

extension MappingModel {
  /// The file name, for errors.
  var fileName: String { ModelFile(place).name }
}

extension MappingModel.EntityMapping {
  /// The policy class, unless it is Core Data's own.
  var customPolicy: String? {
    guard let policy, !policy.isEmpty, policy != "NSEntityMigrationPolicy" else { return nil }
    return policy
  }
}
