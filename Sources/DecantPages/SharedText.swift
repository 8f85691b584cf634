package import DecantBase
package import DecantPlan

/// Objects of a store as plain text, for mails that contain it in addition to the page.
package struct SharedText {
  private let source: any SourceStore
  private let scope: SharedScope

  /// Makes a text about objects of `source`, which is attached to a separate connection.
  package init(of source: any SourceStore, _ scope: SharedScope) { (self.source, self.scope) = (source, scope) }

  /// Writes the text.
  ///
  /// - Parameter output: Receives the bytes of UTF-8 in order, in pieces of any size.
  /// - Throws: `DecantError` of the family `.usage` for an object that does not exist; other errors if the store cannot
  ///   be read; and errors from `output`.
  package func write(to output: @escaping ByteTaker) throws(DecantError) {
    let store = try PageStore(source, scope: scope)
    let count = try store.settleRoots(scope.objects)
    let walk = PageWalk(store, to: PlainTextWriter(to: PageOutput(output)), isEverything: scope.objects.isEmpty)
    try walk.write(title: nil, count: count)
  }
}
