public import DecantBase
public import DecantVersions

/// The result of a check: the migration that is needed, and the changes that require it.
public struct CheckReport: Sendable {
  /// The store that was checked.
  public var store: StoreIdentity
  /// The store's version; `nil` if it is none of the model's versions.
  public var version: RecognisedVersion?
  /// Where the store's model was found, in words, such as `in the store`; `nil` if it is not available.
  public var modelOrigin: String?
  /// The place of the model used to read the store; `nil` if the store contains its model.
  public var modelPlace: String?
  /// The name of the requested version.
  public var target: String
  /// The place of the requested version.
  public var targetPlace: String
  /// Whether the store and the requested version have the same version hashes; `nil` if one of them has none.
  public var hasSameHashes: Bool?
  /// The migration that is needed.
  public var migration: Migration = .impossible
  /// The reason why no migration is possible.
  public var obstacle: DecantError?
  /// The steps between neighbouring versions, from the store's to the requested one, each with its changes.
  ///
  /// It is a single step if the store's version is none of the model's versions.
  public var steps: [Step] = []
  /// What a direct migration from the store's version to the requested one demands, as Core Data would do it; `nil` if
  /// there is no intermediate version.
  public var straightDemand: ModelChange.Demand?
  /// Notes for the reader.
  public var notes: [ReportNote] = []
  /// Whether the store may have the requested version or an earlier one with the same stored data.
  private(set) var isAlike = false

  /// Whether a migration is needed, and whether it follows from the models.
  public enum Migration: String, Sendable, Hashable, Encodable {
    /// The store can be opened as it is.
    case none
    /// The migration follows from the models.
    case inferred
    /// The user has to decide what happens to values or objects.
    case mapping
    /// The store's model is not available, or no versions lead to the requested one.
    case impossible
  }

  /// Creates the report of a check that has not found anything yet.
  package init(store: StoreIdentity, target: String, targetPlace: String) {
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

  /// Marks the store as valid for both versions, so that nothing has to be done.
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

  /// All changes of all steps, each with its demand.
  public var changes: [ModelChange] { steps.flatMap(\.changes) }

  /// The highest demand of all changes.
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
    /// The changes, each with its demand.
    public var changes: [ModelChange]
    /// The mapping models whose names match this step; they are not read.
    public var mappingModels: [String]
    /// The matched entities and properties; `nil` if no models were compared.
    private(set) var matching: ModelMatching?

    /// The highest demand of the step's changes.
    public var demand: ModelChange.Demand { changes.demand }

    /// Creates a step.
    package init(from: String, to: String, changes: [ModelChange], mappingModels: [String] = []) {
      (self.from, self.to) = (from, to)
      (self.changes, self.mappingModels) = (changes, mappingModels)
    }

    /// Compares two versions; `hasSameHashes` says whether their version hashes are equal, if both have them.
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
        // Core Data opens the store as it is: a change outside the hashes demands nothing.
        for index in changes.indices { changes[index].needNothing() }
      case false? where changes.demand == .nothing:
        changes += ModelComparison.unexplainedHashes(from: earlier.model, to: later.model)
      case false?, nil:
        break
      }
    }
  }
}

/// Whether the name of a mapping model matches a step: the numbers in it are those of the two versions.
enum StepName {
  /// Recognises names such as `Moody 4-Moody 5.xcmappingmodel`, `V10toV11.xcmappingmodel` or `Model1_to_Model2.cdm`.
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
