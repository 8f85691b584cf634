public import DecantBase
public import DecantStore

/// A link that a database does not declare.
public struct LinkDeclaration: Sendable, Hashable {
  /// The column that holds the key, as `table.column`.
  public var property: Property
  /// The table it leads to.
  public var target: String
  /// Which rows hold it; `nil` where all do that have a value there.
  public var condition: RowCondition?
  /// Where a links file has it, such as `links.yaml:3:9`; `nil` for one of the command line.
  package var place: String?

  /// Names a link; that column and table exist is checked when the store is opened.
  public init(_ property: Property, to target: String, where condition: RowCondition? = nil) {
    self.property = property
    self.target = target
    self.condition = condition
  }
}
