/// One difference between the schemas of two stores.
public struct SchemaDifference: Sendable, Hashable {
  /// The kind of the object; scripts identify it by its raw value.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case table, column, index, trigger, view
    /// A part of a Core Data store's model.
    case entity, attribute, relationship
    /// The contents of a full-text index, as opposed to its declaration.
    case textIndex = "text-index"

    /// The words for the kind in sentences.
    var words: String { self == .textIndex ? "full-text index" : rawValue }
  }

  public var kind: Kind
  /// Its name; for a column, attribute or relationship including its table or entity: `book.title`.
  public var name: String
  /// How it differs.
  public var change: DiffReport.Item.Kind
  /// The number of rows or values, if only one store has it; `nil` if nothing is counted.
  ///
  /// For a full-text index, it is the number of entries that only one store has.
  public var count: Int64?
  /// How something that both stores have differs, in words; `nil` if the kind says it.
  public var detail: String?

  /// Creates a difference.
  package init(
    _ kind: Kind,
    _ name: String,
    _ change: DiffReport.Item.Kind,
    count: Int64? = nil,
    detail: String? = nil
  ) {
    self.kind = kind
    self.name = name
    self.change = change
    self.count = count
    self.detail = detail
  }

  /// Returns the difference as one line, with the stores called `a` and `b`.
  public func text(_ a: String, _ b: String) -> String {
    let subject = "\(kind.words) \(name)"
    let counted = count.map { count in
      let noun =
        switch kind {
        case .table: "row"
        case .entity: "object"
        default: "value"
        }
      return ", with \(count) \(noun)\(count == 1 ? "" : "s")"
    }
    return switch change {
    case .changed: "\(subject) \(detail ?? "is declared otherwise")"
    case .onlyInA: "\(subject) only in \(a)\(counted ?? "")"
    case .onlyInB: "\(subject) only in \(b)\(counted ?? "")"
    }
  }
}

extension [SchemaDifference] {
  /// Returns the first `limit` differences of each kind, in their order.
  package func first(_ limit: Int) -> [SchemaDifference] {
    var counts: [SchemaDifference.Kind: Int] = [:]
    return filter { difference in
      counts[difference.kind, default: 0] += 1
      return counts[difference.kind, default: 0] <= limit
    }
  }
}
