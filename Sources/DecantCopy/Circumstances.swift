package import DecantBase

/// The conditions that must be unchanged for an unfinished copy to be resumed, by name.
package struct Circumstances: Sendable {
  package let values: [String: String]

  package init(_ values: [String: String]) { self.values = values }

  /// Returns the names of those that differ from the values that `then` returns.
  package func differences<Failure: Error>(from then: (String) throws(Failure) -> String?) throws(Failure) -> [String] {
    var differences: [String] = []
    for (key, value) in values.sorted(by: { $0.key < $1.key }) where try then(key) != value { differences.append(key) }
    return differences
  }

  /// Throws an error that describes `differences`, if there are any.
  package func refuse(_ differences: [String], place: String) throws(DecantError) {
    guard !differences.isEmpty else { return }
    let what =
      differences.contains("store")
      ? "the store was changed after the copy started"
      : differences.contains("plan") || differences.contains("tables")
        ? "the copy was started with other options or another model"
        : differences.contains("source")
          ? "the source was changed or replaced after the copy started"
          : "the machine was restarted after the copy started"
    throw DecantError(
      .resumeMismatch,
      "cannot resume the copy to “\(place)”: \(what)",
      remedy: (values["store"] ?? "").isEmpty
        ? "use \(say: .restart) to start over; nothing was written to the destination yet"
        : "use \(say: .restart) to start over; nothing of the copy is in the store yet"
    )
  }
}
