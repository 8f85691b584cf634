/// An object of the source and the one of the destination that it is.
package struct MatchedPair: Hashable {
  package let root: String
  /// Its key in the source, and in the destination.
  package let source, destination: Int64

  package init(root: String, source: Int64, destination: Int64) {
    (self.root, self.source, self.destination) = (root, source, destination)
  }
}
