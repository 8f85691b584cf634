internal import DecantBase
public import DecantCopy
public import DecantMaintain
public import DecantMapping
public import DecantMatch
public import DecantPlan
public import DecantProof

extension Copy {
  /// Describes a copy between two places, each `[kind:]place`.
  public init(from source: String, to destination: String) {
    self.init(from: source, to: destination, options: CopyOptions())
  }

  package init(from source: String, to destination: String, options: CopyOptions) {
    self.init(
      from: StoreKinds.location(source),
      to: StoreKinds.location(destination),
      options: options,
      opener: StoreKinds.known
    )
  }
}

extension MappingSuggestion {
  /// Describes a suggestion for two places, each `[kind:]place`.
  public init(from source: String, to destination: String) {
    self.init(from: source, to: destination, options: CopyOptions())
  }

  package init(from source: String, to destination: String, options: CopyOptions) {
    self.init(
      from: StoreKinds.location(source),
      to: StoreKinds.location(destination),
      options: options,
      opener: StoreKinds.known
    )
  }
}

extension Inspect {
  /// Describes an inspection of a place, `[kind:]place`.
  ///
  /// - Parameters:
  ///   - store: The store; it is never changed.
  ///   - model: The model, for a store that does not contain its own.
  public init(_ store: String, model: String? = nil) {
    self.init(StoreKinds.location(store), model: model, opener: StoreKinds.known)
  }
}

extension Doctor {
  /// Describes an examination of a place, `[kind:]place`.
  ///
  /// - Parameters:
  ///   - store: The store; it is never changed.
  ///   - model: The model, for a store that does not contain its own.
  public init(_ store: String, model: String? = nil) {
    self.init(StoreKinds.location(store), model: model, opener: StoreKinds.known)
  }
}

extension LinkSuggestion {
  /// Describes a links file for the plain database named `store`, as `[kind:]place`.
  ///
  /// - Parameter store: The database; it is never changed.
  public init(for store: String) {
    self.init(for: StoreKinds.location(store), options: CopyOptions(), opener: StoreKinds.known)
  }
}

extension StoreQuery {
  /// Describes a SELECT over the entities of the store named `store`, as `[kind:]place`.
  public init(_ sql: String, in store: String) {
    self.init(sql, in: StoreKinds.location(store), opener: StoreKinds.known)
  }
}

extension Verify {
  /// Describes a comparison of two places, each `[kind:]place`.
  public init(_ source: String, against destination: String) {
    self.init(StoreKinds.location(source), against: StoreKinds.location(destination), opener: StoreKinds.known)
  }
}

extension Diff {
  /// Describes a comparison of two places, each `[kind:]place`.
  public init(_ a: String, _ b: String) {
    self.init(StoreKinds.location(a), StoreKinds.location(b), opener: StoreKinds.known)
  }
}
