public import DecantBase
package import DecantPlan

/// What a page or a mail holds, once it is written.
public struct SharedReport: Sendable, Hashable {
  /// The objects that are shown.
  public var objectCount: Int64
  /// The pictures that are shown, and those offered for download.
  public var pictureCount: Int
  /// Files of the store that were not there.
  public var lostFileCount: Int
  /// Pictures that had no room in a mail; the archive has them.
  public var leftOutPictureCount: Int
}

/// A page that shows objects of a store to a person, and carries their archive.
///
/// One HTML file for reading on a phone and for printing: laid out by the model, pictures within it,
/// nothing that is executed, nothing from the network. What is shown is read object by object: memory
/// does not grow with the store or with its pictures.
public struct SharedPage {
  private let source: any SourceStore
  private let scope: SharedScope
  private let title: String?

  /// Makes a page of objects of `source`.
  ///
  /// - Parameters:
  ///   - source: The store; it is attached to a connection of the page's own.
  ///   - scope: Which objects, and what of them does not leave.
  ///   - title: What stands above several objects; a single one has its own title. Without it, their
  ///     entity's name.
  package init(of source: any SourceStore, _ scope: SharedScope = SharedScope(), title: String? = nil) {
    self.source = source
    self.scope = scope
    self.title = title
  }

  /// Writes the page.
  ///
  /// - Parameters:
  ///   - archive: Gives the archive's lines as they are, once; without it the page carries none.
  ///   - output: Takes the page's bytes in order, in pieces of any size.
  /// - Returns: What the page holds.
  /// - Throws: `DecantError` of the family `.usage` for an object that is not there; where the store cannot
  ///   be read; and whatever `archive` and `output` throw.
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
