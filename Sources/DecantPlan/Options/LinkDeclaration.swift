public import DecantBase
public import DecantStore

/// A declaration of a link that a database does not declare.
public struct LinkDeclaration: Sendable, Hashable {
  /// The column with the key, as `table.column`.
  public var property: Property
  /// The target table.
  public var target: String
  /// The condition of the rows with a link; `nil` for all rows with a value.
  public var condition: RowCondition?
  /// Its place in a links file, such as `links.yaml:3:9`; `nil` for one of the command line.
  package var place: String?
  /// Whether it leads to row numbers, although the target declares a key; `nil` until stored values decide this.
  package var leadsToRowNumbers: Bool?

  /// Declares a link; column and table are checked when the store is opened.
  public init(_ property: Property, to target: String, where condition: RowCondition? = nil) {
    self.property = property
    self.target = target
    self.condition = condition
  }
}
