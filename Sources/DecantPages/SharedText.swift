package import DecantBase
package import DecantPlan

/// Objects of a store as plain text, as a mail has them beside its page.
package struct SharedText {
  private let source: any SourceStore
  private let scope: SharedScope

  /// Makes a text about objects of `source`, which is attached to a connection of the text's own.
  package init(of source: any SourceStore, _ scope: SharedScope) { (self.source, self.scope) = (source, scope) }

  /// Writes the text.
  ///
  /// - Parameter output: Takes the bytes of UTF-8 in order, in pieces of any size.
  /// - Throws: `DecantError` of the family `.usage` for an object that is not there; where the store cannot be read; and
  ///   whatever `output` throws.
  package func write(to output: @escaping ByteTaker) throws(DecantError) {
    let store = try PageStore(source, scope: scope)
    let count = try store.settleRoots(scope.objects)
    let walk = PageWalk(store, to: PlainTextWriter(to: PageOutput(output)), isEverything: scope.objects.isEmpty)
    try walk.write(title: nil, count: count)
  }
}
