package import DecantBase
internal import DecantCopy
package import DecantPlan
package import DecantStore

extension StoreKinds {
  /// Returns an opener that reads `source` as objects of the model of `destination`.
  ///
  /// They are copied to a temporary folder, which exists as long as the opener.
  package func seeing(
    _ source: StoreLocation,
    as destination: StoreLocation,
    options: CopyOptions,
    cancellation: Cancellation,
    _ onEvent: @escaping (WorkEvent) -> Void
  ) throws(DecantError) -> any StoreOpener {
    guard let kind = try find(destination) as? any DatabaseKind else {
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
      _ = try Copy(from: destination, to: made, options: empty, opener: self)
        .run(cancellation: cancellation)
    }
    let origin = DatabaseFile.status(of: source.place)
    let copy = Copy(from: source, to: made, options: mapped, opener: self)
    let report = try copy.run(cancellation: cancellation) { event in
      guard case .working(.progress(var progress), let fraction) = event else { return }
      // All of this is part of opening the compared stores.
      (progress.phase, progress.timeShare) = (.read, fraction)
      onEvent(.progress(progress))
    }
    let store = MadeStore(
      path: made.place,
      kind: kind,
      place: source.place,
      uuid: report.source.uuid,
      model: options.model,
      origin: origin,
      notes: report.notes.filter { !$0.kind.isAboutMadeStore },
      folder: folder
    )
    return AlignedOpener(made: [source: store], kinds: self, model: options.model)
  }
}
