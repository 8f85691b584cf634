package import DecantBase
package import DecantPlan
package import DecantStore

/// A store beside the versions of a model: what a check asks of a kind of store that knows versions.
public struct VersionedStore {
  /// What to call the store.
  package var identity: StoreIdentity
  /// The store with its objects; `nil` where its model cannot be had.
  package var source: (any SourceStore)?
  /// Where its model was found, in words; `nil` where it cannot be had.
  package var modelOrigin: String?
  /// The model's place by which it is read; `nil` where it holds its own.
  package var modelPlace: String?
  /// Why its model cannot be had, or why no versions lead from it to the one that is wanted.
  package var obstacle: DecantError?
  /// Which version the store has; `nil` where it is none of those that are known.
  package var version: RecognisedVersion?
  /// Where that version lies; two bundles may have versions of one name.
  package var versionPlace: String?
  /// The version that is wanted.
  package var target: NamedModel
  /// The versions from the store's own to the wanted one, both included; empty where the store's is none of them.
  package var chain: [NamedModel] = []
  /// The names of the versions that explain the store's tables, where nothing else tells which it has; the first is
  /// the one that `version` assumes.
  package var rivals: [String] = []
  /// Whether store and wanted version have the same version hashes; `nil` where one of them has none.
  package var hasSameHashes: Bool?
  /// Whether the store's version comes after the wanted one.
  package var isNewer = false
  /// Whether the wanted version has version hashes and the store has none: no app opens it as it is.
  package var lacksHashes = false
  /// The places of mapping models beside the model, compiled ones first; they were not read.
  package var mappingModels: [String] = []
  /// What a reader should know.
  package var notes: [ReportNote] = []

  /// Begins with a store of which nothing is known but the version that is wanted.
  package init(identity: StoreIdentity, target: NamedModel) {
    self.identity = identity
    self.target = target
  }
}

/// A version of a model under its name.
public struct NamedModel: Sendable, Hashable {
  /// The version's name: that of its file, without the extension.
  package var name: String
  /// The file or folder it lies in.
  package var place: String
  /// What it says.
  package var model: DataModel

  /// Names a model.
  package init(name: String, place: String, model: DataModel) {
    self.name = name
    self.place = place
    self.model = model
  }
}

/// The version of a model that a store was found to have.
public struct RecognisedVersion: Sendable, Hashable {
  /// By what it was told.
  package enum Evidence: String, Sendable, Hashable {
    /// Store and version have the same version hashes: it is certain.
    case hashes
    /// decant made the store after the version, and has written into it that it did.
    case mark
    /// The model in the store says the same of entities and properties.
    case structure
    /// The store's tables and columns are those of the version.
    case tables
    /// The model that was named to read the store with is this one.
    case named
  }

  /// The version's name.
  package var name: String
  /// By what it was told.
  package var evidence: Evidence

  /// Names a version.
  package init(name: String, evidence: Evidence) {
    self.name = name
    self.evidence = evidence
  }
}

/// Opens stores that are held against versions of a model.
package protocol VersionedStoreOpener: Sendable {
  /// Finds out which version the store at `location` has, and what leads to the version wanted.
  ///
  /// - Parameters:
  ///   - location: The store; it is never changed.
  ///   - wanted: A model's place, with `#Version` behind it for another one than the current.
  ///   - through: The places of models with the versions between, the oldest first; none for those of the wanted
  ///     model's bundle.
  ///   - model: How to read a store that does not hold its own model.
  /// - Returns: What is known; a store whose model cannot be had is an answer, too.
  /// - Throws: `DecantError` where store or model are not there, are damaged, or are none.
  func openVersioned(
    _ location: StoreLocation,
    against wanted: String,
    through: [String],
    model: String?
  ) throws(DecantError) -> VersionedStore
}
