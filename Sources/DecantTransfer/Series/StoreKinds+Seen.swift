package import DecantBase
internal import DecantCopy
package import DecantPlan
internal import DecantProof
internal import DecantStore

extension Diff {
  /// Describes a comparison in which A is seen through a mapping, as objects of B's model.
  ///
  /// They are copied into a temporary folder, where they stay as long as the comparison is kept.
  ///
  /// - Parameters:
  ///   - a: The store that is mapped, `[kind:]place`.
  ///   - b: The store it is compared with.
  ///   - options: `mapping` says what becomes of what; `model` and links how the stores are read.
  ///   - cancellation: Ends the copy.
  /// - Throws: `DecantError` where the mapping does not fit, or A cannot be read.
  package init(
    _ a: String,
    _ b: String,
    through options: CopyOptions,
    cancellation: Cancellation = Cancellation()
  ) throws(DecantError) {
    let (source, destination) = (StoreKinds.location(a), StoreKinds.location(b))
    let opener = try StoreKinds.seeing(source, as: destination, options, cancellation)
    self.init(source, destination, opener: opener)
  }
}

extension StoreKinds {
  /// Returns an opener for which `source` holds objects of the model of `destination`.
  fileprivate static func seeing(
    _ source: StoreLocation,
    as destination: StoreLocation,
    _ options: CopyOptions,
    _ cancellation: Cancellation
  ) throws(DecantError) -> any StoreOpener {
    guard let kind = try StoreKinds().find(destination) as? any DatabaseKind else {
      throw DecantError(
        .unsuitableOption,
        "“\(destination.place)” is not a database, but a mapping requires one",
        place: "\(option: .mapping)",
        remedy: "import it into a new store first"
      )
    }
    let folder = try ScratchFolder()
    let made = StoreLocation(kind: kind.name, place: "\(folder.path)/\(Files.name(of: source.place))")
    var mapped = options
    try kind.prepareEmpty(made, like: destination, &mapped) { empty throws(DecantError) in
      _ = try Copy(from: destination, to: made, options: empty, opener: StoreKinds())
        .run(cancellation: cancellation)
    }
    let origin = DatabaseFile.status(of: source.place)
    let report = try Copy(from: source, to: made, options: mapped, opener: StoreKinds())
      .run(cancellation: cancellation)
    let store = MadeStore(
      path: made.place,
      kind: kind,
      place: source.place,
      uuid: report.source.uuid,
      model: options.model,
      origin: origin,
      notes: report.notes.filter { !$0.hasPrefix("the store ") },
      folder: folder
    )
    return AlignedOpener(made: [source: store], model: options.model)
  }
}
