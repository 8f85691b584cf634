package import DecantBase
package import DecantStore
public import DecantSQLite

/// Ranked ways by which objects of an entity are the same, where their source knows more of them than a model says.
///
/// A source store supplies it, such as one that was read from files which name the page that each object comes from.
/// The statements are SQL over the entities and attributes of either store, as `decant query` reads them.
public struct Likeness: Sendable {
  /// One of the ways.
  public struct Way: Sendable, Hashable {
    /// What reports call it.
    public let name: String
    /// A SELECT of the key of an object, and a value by which it is compared; of the source and of the destination.
    let source, destination: String

    /// Makes a way.
    ///
    /// - Parameters:
    ///   - name: What reports call it, such as “page”. Several ways may have one name.
    ///   - select: Selects the key of an object, and a value that the same object has in the other store. What has no
    ///     value, or `NULL`, is not found this way.
    ///   - destination: The same for the destination, where that is another statement.
    public init(_ name: String, _ select: String, of destination: String? = nil) {
      self.name = name
      source = select
      self.destination = destination ?? select
    }
  }

  /// The entity, which has neither one above it nor below it.
  public let entity: String
  /// The ways, the surest first.
  public let ways: [Way]
  /// What both stores must have for the statements to mean anything: attributes, by entity.
  public var attributes: [String: [String]] = [:]
  /// A SELECT of the keys of objects that say nothing which the destination does not have, though they differ from it.
  ///
  /// `pairs` has the columns `source` and `destination`; the destination's entities have `there_` before their names.
  public var nothingNew: String?
  /// The attributes that objects of the destination keep, whatever the policy says.
  public var kept: [String] = []
  /// The entities whose objects say what their owner is called elsewhere: parts of it, though they have an identity.
  public var marks: Set<String> = []
  /// The entities whose objects do nothing but name what others have in common: they come with those.
  public var names: Set<String> = []
  /// The attribute by which a person knows an object.
  public var title: String?
  /// Registers the functions that the statements need.
  package let prepare: @Sendable (Connection) throws(SQLiteError) -> Void

  /// Makes ranked ways.
  ///
  /// - Parameters:
  ///   - entity: The entity of the objects.
  ///   - ways: The ways, the surest first.
  ///   - prepare: Registers the functions that the statements need on a connection.
  public init(
    of entity: String,
    _ ways: [Way],
    prepare: @escaping @Sendable (Connection) throws(SQLiteError) -> Void = { _ in }
  ) {
    self.entity = entity
    self.ways = ways
    self.prepare = prepare
  }

  /// Whether both stores have all that the statements speak of.
  package func fits(_ layouts: Sided<Layout>) -> Bool {
    MatchSide.allCases.allSatisfy { side in
      attributes.allSatisfy { entity, names in
        guard let relation = layouts[side].relation(of: entity) else { return false }
        return names.allSatisfy { relation.column(.attribute(Property(entity, $0))) != nil }
      }
    }
  }
}

extension Likeness: Hashable {
  /// Whether both find the same objects; their functions are not compared.
  public static func == (left: Likeness, right: Likeness) -> Bool {
    left.entity == right.entity && left.ways == right.ways && left.nothingNew == right.nothingNew
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(entity)
    hasher.combine(ways)
  }
}

/// The statements of a likeness as SQL over two attached stores.
package struct LikenessStatements {
  private let likeness: Likeness
  private let views: Sided<EntityViews>
  private let schemas: Sided<String>

  package init(_ likeness: Likeness, _ model: Model, _ layouts: Sided<Layout>, _ schemas: Sided<String>) {
    self.likeness = likeness
    self.schemas = schemas
    views = Sided { EntityViews(model: model, layout: layouts[$0]) }
  }

  /// The objects in the order of what they have by a way: `h` and `k`.
  package func selects(of way: Likeness.Way) -> Sided<String> {
    Sided { side in
      "WITH \(entities(side)), way (k, v) AS (\(side == .source ? way.source : way.destination)) "
        + "SELECT mix_all(v) AS h, k FROM way WHERE v IS NOT NULL AND k IS NOT NULL"
    }
  }

  /// The objects among the pairs of `table` that say nothing new; `nil` where nothing tells.
  package func nothingNew(among table: TemporaryTable) -> String? {
    likeness.nothingNew.map { select in
      "WITH \(entities(.source)), \(entities(.destination, as: "there_")), "
        + "pairs AS (SELECT source, destination FROM \(table)) \(select)"
    }
  }

  private func entities(_ side: MatchSide, as prefix: String = "") -> String {
    likeness.attributes.keys.sorted().compactMap { name in
      views[side][name].map {
        "\((prefix + name).quotedName) AS (SELECT * FROM \($0.relation(in: schemas[side])))"
      }
    }.joined(separator: ", ")
  }
}
