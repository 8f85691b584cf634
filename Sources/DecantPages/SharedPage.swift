public import DecantBase
package import DecantPlan

/// The content of a page or a mail that was written.
public struct SharedReport: Sendable, Hashable {
  /// The number of objects shown.
  public var objectCount: Int64
  /// The number of pictures shown, and of those offered for download.
  public var pictureCount: Int
  /// The number of missing files of the store.
  public var lostFileCount: Int
  /// The number of pictures that did not fit in a mail; the archive contains them.
  public var leftOutPictureCount: Int
}

/// A page that shows objects of a store to a person, and carries their archive.
///
/// It is one HTML file for reading on a phone and for printing, with a layout derived from the model and embedded
/// pictures; nothing in it is executed or loaded from the network. Objects are read one by one: memory use does not
/// depend on the size of the store or of its pictures.
public struct SharedPage {
  private let source: any SourceStore
  private let scope: SharedScope
  private let title: String?

  /// Makes a page of objects of `source`.
  ///
  /// - Parameters:
  ///   - source: The store; it is attached to a separate connection.
  ///   - scope: The objects, and the parts of them that are not shared.
  ///   - title: The heading above several objects, by default their entity's name; a single object has its own title.
  package init(of source: any SourceStore, _ scope: SharedScope = SharedScope(), title: String? = nil) {
    self.source = source
    self.scope = scope
    self.title = title
  }

  /// Writes the page.
  ///
  /// - Parameters:
  ///   - archive: Supplies the archive's lines once; by default the page carries no archive.
  ///   - output: Receives the page's bytes in order, in pieces of any size.
  /// - Returns: The content of the page.
  /// - Throws: `DecantError` of the family `.usage` for an object that does not exist; other errors if the store cannot
  ///   be read; and errors from `archive` and `output`.
  @discardableResult
  public func write(archive: ByteGiver? = nil, to output: @escaping ByteTaker) throws(DecantError) -> SharedReport {
    let store = try PageStore(source, scope: scope)
    let count = try store.settleRoots(scope.objects, scope.order)
    let writer = HTMLWriter(to: PageOutput(output), store: store, archive: archive)
    let walk = PageWalk(store, to: writer, isEverything: scope.objects.isEmpty)
    try walk.write(title: title, count: count)
    return SharedReport(
      objectCount: walk.objectCount,
      pictureCount: walk.pictureCount,
      lostFileCount: walk.lostCount,
      leftOutPictureCount: 0
    )
  }
}
