/// An object of the source and its matched object in the destination.
package struct MatchedPair: Hashable {
  package let root: String
  /// The key in the source, and in the destination.
  package let source, destination: Int64

  package init(root: String, source: Int64, destination: Int64) {
    (self.root, self.source, self.destination) = (root, source, destination)
  }
}
