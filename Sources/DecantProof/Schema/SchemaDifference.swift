/// Something of two stores' schemas that is not the same in both.
public struct SchemaDifference: Sendable, Hashable {
  /// What it is; scripts know it by this word.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case table, column, index, trigger, view
    /// What the model of a Core Data store says.
    case entity, attribute, relationship
    /// What is found by a full-text index, other than by its declaration.
    case textIndex = "text-index"

    /// The word for it in sentences.
    var words: String { self == .textIndex ? "full-text index" : rawValue }
  }

  public var kind: Kind
  /// Its name; of a column, an attribute or a relationship with that of its table or entity: `book.title`.
  public var name: String
  /// In what way it differs.
  public var change: DiffReport.Item.Kind
  /// How many rows or values there are where only one store has it; of a full-text index how many entries are only in
  /// one of them; `nil` where nothing is to be counted.
  public var count: Int64?
  /// In what something differs that both have, in words; `nil` where its kind tells.
  public var detail: String?

  /// Describes a difference.
  public init(
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

  /// The difference as one line, where the two stores are called `a` and `b`.
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
  /// The first `limit` of each kind, in their order.
  package func first(_ limit: Int) -> [SchemaDifference] {
    var counts: [SchemaDifference.Kind: Int] = [:]
    return filter { difference in
      counts[difference.kind, default: 0] += 1
      return counts[difference.kind, default: 0] <= limit
    }
  }
}
