package import DecantBase
package import DecantPlan
package import DecantStore

/// A store and its relation to the versions of a model, as a check needs it.
public struct VersionedStore {
  /// The name and place of the store.
  package var identity: StoreIdentity
  /// The store with its objects; `nil` if its model is not available.
  package var source: (any SourceStore)?
  /// Where its model was found, in words; `nil` if it is not available.
  package var modelOrigin: String?
  /// The place of the model used to read the store; `nil` if the store contains its model.
  package var modelPlace: String?
  /// Why its model is not available, or why no versions lead from it to the requested one.
  package var obstacle: DecantError?
  /// The store's version; `nil` if it is none of the known versions.
  package var version: RecognisedVersion?
  /// The place of that version; two bundles may have versions of the same name.
  package var versionPlace: String?
  /// The requested version.
  package var target: NamedModel
  /// The versions from the store's own to the requested one, inclusive; empty if the store's version is not among them.
  package var chain: [NamedModel] = []
  /// The names of the versions that match the store's tables, if nothing else identifies its version.
  ///
  /// The first is the one assumed in `version`.
  package var rivals: [String] = []
  /// Whether the store and the requested version have the same version hashes; `nil` if one of them has none.
  package var hasSameHashes: Bool?
  /// Whether the store's version is later than the requested one.
  package var isNewer = false
  /// Whether the requested version has version hashes but the store has none, so that no app can open it as it is.
  package var lacksHashes = false
  /// The places of mapping models next to the model, compiled ones first; they are not read.
  package var mappingModels: [String] = []
  /// Notes for the reader.
  package var notes: [ReportNote] = []

  /// Creates a description of a store of which only the requested version is known.
  package init(identity: StoreIdentity, target: NamedModel) {
    self.identity = identity
    self.target = target
  }
}

/// A version of a model with its name.
public struct NamedModel: Sendable, Hashable {
  /// The version's name: that of its file, without the extension.
  package var name: String
  /// The file or folder that contains it.
  package var place: String
  /// The model itself.
  package var model: DataModel

  /// Creates a named model.
  package init(name: String, place: String, model: DataModel) {
    self.name = name
    self.place = place
    self.model = model
  }
}

/// The version of a model that a store was recognised to have.
public struct RecognisedVersion: Sendable, Hashable {
  /// How the version was recognised.
  package enum Evidence: String, Sendable, Hashable {
    /// Store and version have the same version hashes, which is certain.
    case hashes
    /// decant made the store from the version, and recorded that in the store.
    case mark
    /// The model in the store has the same entities and properties.
    case structure
    /// The store has the tables and columns of the version.
    case tables
    /// The model given for reading the store is this version.
    case named
  }

  /// The version's name.
  package var name: String
  /// How the version was recognised.
  package var evidence: Evidence

  /// Creates a recognised version.
  package init(name: String, evidence: Evidence) {
    self.name = name
    self.evidence = evidence
  }
}

/// Opens stores to compare them with versions of a model.
package protocol VersionedStoreOpener: Sendable {
  /// Recognises the version of the store at `location` and finds the versions that lead to the requested one.
  ///
  /// - Parameters:
  ///   - location: The store; it is never changed.
  ///   - wanted: The model's place, followed by `#Version` for a version other than the current one.
  ///   - through: The places of models with the intermediate versions, oldest first; empty to use the requested model's
  ///     bundle.
  ///   - model: The place of a model to read a store that does not contain its own.
  /// - Returns: The store and its version; also for a store whose model is not available.
  /// - Throws: `DecantError` if the store or model is missing, damaged, or not a store or model.
  func openVersioned(
    _ location: StoreLocation,
    against wanted: String,
    through: [String],
    model: String?
  ) throws(DecantError) -> VersionedStore
}
