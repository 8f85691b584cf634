/// How content matching settles what nothing tells apart: the first way, and others where that one failed.
///
/// No way of pairing look-alikes is always right; but whichever leaves no difference proves that there is none.
enum TieBreak: CaseIterable {
  /// Links to what only one store has are as good as none; keys are taken from the lowest on.
  case usual
  /// What leads to an object that only its own store has is something else than what leads nowhere.
  ///
  /// Only where the link stands beside an object: in the other direction, and where links have a table, a
  /// store that holds more may hold more of them.
  case byStrangers
  /// The same, and keys are taken from the highest on: what was added to a store lies behind the rest.
  case fromTheEnd

  var mindsStrangers: Bool { self != .usual }
}
