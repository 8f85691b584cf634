/// The purpose of a copy.
package enum Purpose: String, Sendable, Hashable {
  case copy, merge, `import`
  /// A step to another version of the model.
  case migration = "migrate"

  /// Whether the destination must exist.
  package var needsDestination: Bool { self == .merge }

  /// Whether a source of another model version is migrated first.
  package var alignsVersions: Bool { self != .migration }
}
