public import DecantBase
public import DecantVersions

/// What a check found: the migration that is needed, and why, change by change.
public struct CheckReport: Sendable {
  /// The store.
  public var store: StoreIdentity
  /// The version the store has; `nil` where it is none of the model's.
  public var version: RecognisedVersion?
  /// Where the store's model was found, in words: `in the store`; `nil` where it cannot be had.
  public var modelOrigin: String?
  /// The model's place by which the store is read; `nil` where it holds its own.
  public var modelPlace: String?
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
  /// The steps between neighbouring versions, from the store's to the wanted one, each with its changes; a single one
  /// where the store's version is none of the model's.
  public var steps: [Step] = []
  /// What would be asked for straight from the store's version to the wanted one, as Core Data goes by itself; `nil`
  /// where there is no version between.
  public var straightDemand: ModelChange.Demand?
  /// What a reader should know.
  public var notes: [ReportNote] = []
  /// Whether the store may be of the wanted version or an earlier one, between which nothing differs that a store keeps.
  private(set) var isAlike = false

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

  /// Begins the report of a check that has found nothing yet.
  public init(store: StoreIdentity, target: String, targetPlace: String) {
    (self.store, self.target, self.targetPlace) = (store, target, targetPlace)
  }

  init(_ found: VersionedStore) {
    self.init(store: found.identity, target: found.target.name, targetPlace: found.target.place)
    version = found.version
    modelOrigin = found.modelOrigin
    modelPlace = found.modelPlace
    hasSameHashes = found.hasSameHashes
    obstacle = found.obstacle
    notes = found.notes
  }

  /// Says that a store of the one version is a store of the other, so that nothing is to be done.
  mutating func becomeAlike() {
    (isAlike, migration) = (true, .none)
    straightDemand = nil
    for step in steps.indices {
      for change in steps[step].changes.indices { steps[step].changes[change].needNothing() }
    }
    notes.append(
      ReportNote(
        .fitsAlready, "the store already fits “\(target)”: the versions do not differ in anything that a store holds"))
  }

  /// All changes of all steps, each with what it asks for.
  public var changes: [ModelChange] { steps.flatMap(\.changes) }

  /// What all changes together ask for.
  public var demand: ModelChange.Demand { changes.demand }

  /// Whether decant infers more than Core Data would.
  public var isBeyondCoreData: Bool {
    migration == .inferred && changes.contains { $0.demand == .beyondCoreData }
  }

  /// A step between two neighbouring versions.
  public struct Step: Sendable {
    /// The name of the earlier version.
    public var from: String
    /// The name of the later one.
    public var to: String
    /// What changes, and what each change asks for.
    public var changes: [ModelChange]
    /// The mapping models that are for this step by their names; they were not read.
    public var mappingModels: [String]
    /// Which entities and properties are the same; `nil` where no models were compared.
    private(set) var matching: ModelMatching?

    /// What the step asks for.
    public var demand: ModelChange.Demand { changes.demand }

    /// Describes a step.
    public init(from: String, to: String, changes: [ModelChange], mappingModels: [String] = []) {
      (self.from, self.to) = (from, to)
      (self.changes, self.mappingModels) = (changes, mappingModels)
    }

    /// Compares two versions; `hasSameHashes` says whether Core Data takes them for one, where that is known.
    init(_ earlier: NamedModel, _ later: NamedModel, _ hasSameHashes: Bool?, _ mappingModels: [String]) {
      self.init(
        from: earlier.name,
        to: later.name,
        changes: ModelComparison.changes(from: earlier.model, to: later.model),
        mappingModels: mappingModels
      )
      matching = ModelMatching(from: earlier.model, to: later.model)
      switch hasSameHashes {
      case true?:
        // Core Data opens the store as it is: what does not count for its hashes asks for nothing.
        for index in changes.indices { changes[index].needNothing() }
      case false? where changes.demand == .nothing:
        changes += ModelComparison.unexplainedHashes(from: earlier.model, to: later.model)
      case false?, nil:
        break
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
