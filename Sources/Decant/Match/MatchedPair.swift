/// An object of the source and the one of the destination that it is.
struct MatchedPair: Hashable {
  let root: String
  /// Its key in the source, and in the destination.
  let source, destination: Int64
}
