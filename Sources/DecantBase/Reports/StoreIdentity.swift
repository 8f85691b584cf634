/// The identity of a store: its kind, its place and its own identifier.
public struct StoreIdentity: Sendable, Hashable {
  /// The kind's name on the command line.
  public var kind: String
  /// The place as the user gave it.
  public var place: String
  /// The store's own identifier, if it has one.
  public var uuid: String?
  /// The terms for its content.
  public var terms: Terms

  /// Describes a store; `uuid` is `nil` if it has no identifier of its own.
  package init(kind: String, place: String, uuid: String? = nil, terms: Terms = .objects) {
    self.terms = terms
    self.kind = kind
    self.place = place
    self.uuid = uuid
  }
}
