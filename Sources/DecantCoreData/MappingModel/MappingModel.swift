/// A Core Data mapping model: how the objects of one version of a model become objects of the next.
///
/// The value says what the file says, compiled or as Xcode edits it; nothing is looked up in a model yet, except that
/// `completed(from:to:)` writes out what Xcode leaves to its compiler.
package struct MappingModel: Sendable, Hashable {
  /// The file or folder it was read from, as it was named.
  package var place: String
  /// How objects are made, in the order in which Core Data goes through them.
  package var entityMappings: [EntityMapping]
  /// The source's model as the file remembers it; a compiled one knows hashes instead.
  package var source: RecordedModel?
  /// The destination's model as the file remembers it.
  package var destination: RecordedModel?

  /// What an entity mapping does, in the order of Core Data's numbers.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// It was not said.
    case undefined
    /// Code of the app's makes the objects.
    case custom
    /// The entity is new: no objects are made.
    case add
    /// The entity goes: its objects become nothing.
    case remove
    /// Objects stay as they are.
    case copy
    /// Objects become others.
    case transform
  }

  /// How objects of one entity of the source become objects of one of the destination.
  package struct EntityMapping: Sendable, Hashable {
    /// The name by which expressions refer to it, such as `RecipeToRecipe`.
    package var name: String
    package var kind: Kind = .undefined
    /// The source's entity; `nil` where the entity is new.
    package var sourceName: String?
    /// The destination's entity; `nil` where the entity goes.
    package var destinationName: String?
    /// The 32 bytes by which Core Data recognises the version of either entity; a compiled model has them.
    package var sourceHash: [UInt8]?
    package var destinationHash: [UInt8]?
    /// Which objects are taken: a fetch request.
    package var sourceExpression: MappingExpression?
    /// The class of the app's that carries it out; `nil` where Core Data does it by itself.
    package var policy: String?
    /// What fills the attributes, sorted by their names.
    package var attributes: [PropertyMapping] = []
    /// What fills the relationships, sorted by their names.
    package var relationships: [PropertyMapping] = []
    /// What the developer noted for a policy; texts only.
    package var userInfo: [String: String] = [:]
    /// What stands in the file and means something that is not known here.
    package var unknown: [String] = []

    /// Names an entity mapping that fills nothing.
    package init(name: String) { self.name = name }
  }

  /// What fills one property of the destination.
  package struct PropertyMapping: Sendable, Hashable {
    /// The property of the destination.
    package var name: String
    package var value: Filling
    /// What stands in the file and means something that is not known here.
    package var unknown: [String] = []

    /// Names a property and what fills it.
    package init(_ name: String, _ value: Filling) {
      self.name = name
      self.value = value
    }
  }

  /// Where the value of a property comes from.
  package enum Filling: Sendable, Hashable {
    /// Nothing is said: it begins as the destination's model says.
    case nothing
    case expression(MappingExpression)
    /// Left to Xcode's compiler: what the source has under the same name.
    case automatic
    /// Left to Xcode's compiler: the objects at `keyPath`, as they came through the mapping of this name.
    case links(keyPath: MappingExpression?, mapping: String?)
  }

  /// The names of entities and of their own properties in a model, as a mapping model remembers it.
  package struct RecordedModel: Sendable, Hashable {
    /// Where the model lay when the mapping model was made, such as `App.xcdatamodeld/App 2.xcdatamodel`.
    package var path: String
    /// Properties by entity, without inherited ones; `nil` where the file does not tell.
    package var properties: [String: Set<String>]?

    /// The name of the version: that of its file without the extension.
    package var versionName: String { ModelFile(path).stem }
  }
}

extension MappingModel {
  /// What to call it in errors: its file's name.
  var fileName: String { ModelFile(place).name }
}

extension MappingModel.EntityMapping {
  /// The policy class, unless it is the one that Core Data itself uses.
  var customPolicy: String? {
    guard let policy, !policy.isEmpty, policy != "NSEntityMigrationPolicy" else { return nil }
    return policy
  }
}
