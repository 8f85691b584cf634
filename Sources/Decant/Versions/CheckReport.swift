/// What a check found: the migration that is needed, and why, change by change.
public struct CheckReport: Sendable {
  /// The store.
  public var store: StoreIdentity
  /// The version the store has; `nil` where it is none of the model's.
  public var version: RecognisedVersion?
  /// Where the store's model was found, in words: `in the store`; `nil` where it cannot be had.
  public var modelOrigin: String?
  /// The name of the version that is wanted.
  public var target: String
  /// Where that lies.
  public var targetPlace: String
  /// Whether store and wanted version have the same version hashes; `nil` where one has none.
  public var hasSameHashes: Bool?
  /// The migration that is needed.
  public var migration: Migration = .impossible
  /// Why none is possible.
  public var obstacle: DecantError?
  /// All changes, each with what it asks for.
  public var changes: [ModelChange] = []
  /// The steps between neighbouring versions, from the store's to the wanted one.
  public var steps: [Step] = []
  /// What a reader should know.
  public var notes: [String]

  /// Whether a migration is needed, and who has to say how.
  public enum Migration: String, Sendable, Hashable, Encodable {
    /// The store can be opened as it is.
    case none
    /// It follows from the models.
    case inferred
    /// Somebody has to decide: what becomes of values or objects.
    case mapping
    /// The store's model cannot be had, or no versions lead there.
    case impossible
  }

  init(_ found: VersionedStore) {
    store = found.identity
    version = found.version
    modelOrigin = found.modelOrigin
    target = found.target.name
    targetPlace = found.target.place
    hasSameHashes = found.hasSameHashes
    obstacle = found.obstacle
    notes = found.notes
  }

  /// A step between two neighbouring versions, told by the models alone.
  public struct Step: Sendable, Hashable {
    /// The name of the earlier version.
    public var from: String
    /// The name of the later one.
    public var to: String
    /// What the step asks for at most.
    public var demand: ModelChange.Demand
    /// Whether it depends on the objects that there will be: with none that stand in the way it asks for less.
    public var isOpen: Bool
    /// The mapping models that are for this step by their names; they were not read.
    public var mappingModels: [String]

    /// Returns the steps along the chain of a store; none where the store's version is none of the model's.
    static func all(_ found: VersionedStore) -> [Step] {
      guard found.chain.count > 1 else { return [] }
      return zip(found.chain, found.chain.dropFirst()).map { earlier, later in
        let changes = ModelComparison.changes(from: earlier.model, to: later.model)
        let least = changes.map { $0.question?.demandOfNone ?? $0.demand }.max() ?? .nothing
        return Step(
          from: earlier.name,
          to: later.name,
          demand: changes.demand,
          isOpen: changes.demand == .mapping && least < .mapping,
          mappingModels: found.mappingModels.filter {
            StepName.fits($0, from: earlier.name, to: later.name)
          }
        )
      }
    }
  }
}

/// Whether the name of a mapping model is that of a step: the numbers in it are those of the two versions.
enum StepName {
  /// Tells of `Moody 4-Moody 5.xcmappingmodel`, `V10toV11.xcmappingmodel` or `Model1_to_Model2.cdm`.
  static func fits(_ place: String, from earlier: String, to later: String) -> Bool {
    let file = Files.name(of: place)
    let name = file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
    let numbers = numbers(in: name)
    guard !numbers.isEmpty else { return false }
    return numbers == self.numbers(in: earlier) + self.numbers(in: later)
      // The first version often has no number.
      || (self.numbers(in: earlier).isEmpty && numbers == ["1"] + self.numbers(in: later))
  }

  private static func numbers(in name: String) -> [String] {
    name.split { !$0.isASCII || !$0.isNumber }.map { digits in
      let plain = digits.drop { $0 == "0" }
      return plain.isEmpty ? "0" : String(plain)
    }
  }
}
