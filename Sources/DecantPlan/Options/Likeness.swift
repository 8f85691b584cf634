package import DecantBase
package import DecantStore
package import DecantSQLite

/// Ranked methods to match equal objects of an entity, from a source that knows more than the model.
///
/// A source store provides them, for example one that was read from files that name the web page of each object. The
/// statements are SQL on the entities and attributes of either store, as in `decant query`.
package struct Likeness: Sendable {
  /// One of the methods.
  package struct Way: Sendable, Hashable {
    /// The name in reports.
    package let name: String
    /// A SELECT of an object's key and the value to compare, for the source and for the destination.
    let source, destination: String
    /// A condition under which two objects with equal values are different ones.
    let unless: String?

    /// Creates a method.
    ///
    /// - Parameters:
    ///   - name: The name in reports, such as “page”. Several methods may have the same name.
    ///   - select: A SELECT of an object's key and a value that equal objects share. Objects without a value, or with
    ///     `NULL`, are not matched.
    ///   - destination: The statement for the destination, if it differs.
    ///   - unless: A condition under which the objects with the keys `pair.source` and `pair.destination` are different
    ///     ones although their values are equal, for values that one object of either store has. The destination's
    ///     entities have the prefix `there_`.
    package init(_ name: String, _ select: String, of destination: String? = nil, unless: String? = nil) {
      self.name = name
      source = select
      self.destination = destination ?? select
      self.unless = unless
    }
  }

  /// The entity, which has no superentity and no subentities.
  package let entity: String
  /// The methods, the most reliable first.
  package let ways: [Way]
  /// The attributes that both stores must have for the statements, by entity.
  package var attributes: [String: [String]] = [:]
  /// A SELECT of the keys of objects that differ from the destination's but contain nothing new.
  ///
  /// `pairs` has the columns `source` and `destination`; the destination's entities have the prefix `there_`.
  package var nothingNew: String?
  /// The attributes that objects of the destination keep under every policy.
  package var kept: [String] = []
  /// The entities whose objects contain the names of their owner in other places: they are parts of it, although they
  /// have an identity.
  package var marks: Set<String> = []
  /// The entities whose objects only name what others share: they are copied with those.
  package var names: Set<String> = []
  /// The attribute that identifies an object to people.
  package var title: String?
  /// Registers the functions that the statements use.
  package let prepare: @Sendable (Connection) throws(SQLiteError) -> Void

  /// Creates ranked methods.
  ///
  /// - Parameters:
  ///   - entity: The entity of the objects.
  ///   - ways: The methods, the most reliable first.
  ///   - prepare: Registers the functions that the statements use on a connection.
  package init(
    of entity: String,
    _ ways: [Way],
    prepare: @escaping @Sendable (Connection) throws(SQLiteError) -> Void = { _ in }
  ) {
    self.entity = entity
    self.ways = ways
    self.prepare = prepare
  }

  /// Returns whether both stores have all attributes that the statements use.
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
  /// Returns whether both find the same objects; their functions are not compared.
  package static func == (left: Likeness, right: Likeness) -> Bool {
    left.entity == right.entity && left.ways == right.ways && left.nothingNew == right.nothingNew
  }

  /// Hashes the properties that `==` compares.
  package func hash(into hasher: inout Hasher) {
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

  /// Returns the statements that hash the values of a method: `h` and the key `k`.
  package func selects(of way: Likeness.Way) -> Sided<String> {
    Sided { side in
      "WITH \(entities(side)), way (k, v) AS (\(side == .source ? way.source : way.destination)) "
        + "SELECT mix_all(v) AS h, k FROM way WHERE v IS NOT NULL AND k IS NOT NULL"
    }
  }

  /// Returns the statement that finds pairs of `table` without new content; `nil` if the likeness has none.
  package func nothingNew(among table: TemporaryTable) -> String? {
    likeness.nothingNew.map { select in
      "WITH \(allEntities), pairs AS (SELECT source, destination FROM \(table)) \(select)"
    }
  }

  /// Returns the statement that has a row if the objects with the keys `?1` and `?2` are different ones, although a
  /// method matches them; `nil` if that method has no such condition.
  package func exception(of way: Likeness.Way) -> String? {
    way.unless.map { condition in
      "WITH \(allEntities), pair AS (SELECT ?1 AS source, ?2 AS destination) SELECT 1 FROM pair WHERE \(condition)"
    }
  }

  private var allEntities: String { "\(entities(.source)), \(entities(.destination, as: "there_"))" }

  private func entities(_ side: MatchSide, as prefix: String = "") -> String {
    likeness.attributes.keys.sorted().compactMap { name in
      views[side][name].map {
        "\((prefix + name).quotedName) AS (SELECT * FROM \($0.relation(in: schemas[side])))"
      }
    }.joined(separator: ", ")
  }
}
