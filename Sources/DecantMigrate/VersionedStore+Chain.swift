internal import DecantBase
internal import DecantMapping
internal import DecantStore
internal import DecantVersions

extension VersionedStore {
  /// The error if the versions from the store's to the requested one are disconnected or ambiguous; otherwise `nil`.
  var chainObstacle: DecantError? { gap ?? doubt }

  /// The error for two neighbouring versions that have nothing in common.
  private var gap: DecantError? {
    for (earlier, later) in zip(chain, chain.dropFirst())
    where !ModelMatching(from: earlier.model, to: later.model).hasPairs {
      return DecantError(
        .modelsDiffer,
        "there is no migration from “\(earlier.name)” to “\(later.name)”: they have no entity in common",
        place: "\(earlier.place), \(later.place)",
        remedy: "give versions of one model, the oldest first, including those in between"
      )
    }
    return nil
  }

  /// The error for tables that match several versions, if migrating from one of these versions to another would change
  /// objects.
  private var doubt: DecantError? {
    guard
      let other = rivalSteps.first(where: { !InferredMapping(chain[...$0].map(\.model)).keepsAll })
    else { return nil }
    return VersionedStore.doubt(
      chain[0],
      chain[other],
      "the migration would be applied to objects that may already be migrated",
      modelPlace ?? target.place
    )
  }

  /// The positions in the chain of other versions that match the store's tables as well as the first.
  var rivalSteps: [Int] {
    chain.indices.dropFirst().filter { rivals.contains(chain[$0].name) }
  }

  /// Whether the store may already have the requested version, because only its tables identify its version.
  var mayBeTarget: Bool {
    target.model.versionHashes == nil && rivals.contains(target.name) && chain.count > 1
  }

  /// Returns the error for a store that may have either of two versions.
  static func doubt(_ one: NamedModel, _ other: NamedModel, _ reason: String, _ place: String) -> DecantError {
    // The place identifies the first version.
    let bundle = place.lastIndex(of: "#").map { String(place[..<$0]) } ?? place
    let places = [one, other].map { "\(bundle)#\($0.name)" }
    return DecantError(
      .versionUnclear,
      "the store may have version “\(one.name)” or “\(other.name)”: its tables are the same in both, and \(reason)",
      place: "\(place)",
      remedy: "choose one: \(say: .model, places[0]) or \(say: .model, places[1])"
    )
  }
}
