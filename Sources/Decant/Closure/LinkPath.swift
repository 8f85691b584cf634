/// One direction of a relationship, with what is taken along it.
struct LinkPath: Sendable, Hashable {
  var name: LinkDirection
  /// Other names that mean it as well.
  var aliases: [LinkDirection] = []
  /// The root entities at both ends.
  var from: String
  var to: String
  var rule: ClosureRule
  /// Why the rule cannot be another one; `nil` where it can.
  var reason: String?
  /// Where the links lie; nothing where the rows at one end cannot be told from one another.
  var rows: [LinkRows]
}
