/// What names a store: its kind, its place, and its own identifier.
public struct StoreIdentity: Sendable, Hashable {
  /// The kind's name, as the command line spells it.
  public var kind: String
  /// The place as the user gave it.
  public var place: String
  /// The identifier the store gives itself, where it has one.
  public var uuid: String?
  /// The words for what it holds.
  public var terms: Terms

  /// Names a store; `uuid` is `nil` where it has no identifier of its own.
  public init(kind: String, place: String, uuid: String? = nil, terms: Terms = .objects) {
    self.terms = terms
    self.kind = kind
    self.place = place
    self.uuid = uuid
  }
}
