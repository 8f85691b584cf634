package import DecantPlan
package import DecantStore
package import DecantSQLite

/// A property in which two matched objects differ.
package struct PropertyDifference {
  package let columnRole: ColumnRole
  /// Whether the source's object has no value or link there.
  package let isEmptyInSource: Bool
  /// Whether the destination's object has no value or link there.
  package let isEmptyInDestination: Bool
  /// Whether the target of the source's link was removed in the destination, as an undecided conflict.
  package let isOpen: Bool
}

/// For each property, the keys of objects of one root entity that are marked.
package struct PropertyKeys {
  private var keys: [String: KeySet] = [:]
  /// The objects with any mark.
  private let objects: KeySet
  private let range: ClosedRange<Int64>
  private let count: Int64
  private let connection: Connection

  /// Begins without marks; only `objects` may be marked, for the properties `columnRoles`.
  ///
  /// Sparse keys are in temporary tables. SQLite ends statements that are running when a temporary table is created.
  package init(among objects: KeySet, of columnRoles: [ColumnRole], on connection: Connection) throws(SQLiteError) {
    range = try objects.bounds() ?? 0...0
    count = objects.count
    self.connection = connection
    self.objects = try KeySet(range: range, expecting: count, on: connection)
    guard self.objects.isStored else { return }
    for columnRole in columnRoles {
      keys[columnRole.label] = try KeySet(range: range, expecting: count, on: connection)
    }
  }

  /// Whether no object is marked.
  var isEmpty: Bool { objects.count == 0 }

  /// Returns whether an object has any mark.
  func contains(_ key: Int64) throws(SQLiteError) -> Bool { try objects.contains(key) }

  package mutating func insert(_ key: Int64, _ columnRole: ColumnRole) throws(SQLiteError) {
    try objects.insert(key)
    if let set = keys[columnRole.label] { return try set.insert(key) }
    let set = try KeySet(range: range, expecting: count, on: connection)
    try set.insert(key)
    keys[columnRole.label] = set
  }

  /// Returns whether the property is marked for any object.
  package func isChanged(_ columnRole: ColumnRole) -> Bool { keys[columnRole.label].map { $0.count > 0 } ?? false }

  package func contains(_ key: Int64, _ columnRole: ColumnRole) throws(SQLiteError) -> Bool {
    try contains(key, named: columnRole.label)
  }

  /// Returns whether an object is marked for one of the properties.
  package func contains(_ key: Int64, anyOf columnRoles: Set<ColumnRole>) throws(SQLiteError) -> Bool {
    for columnRole in columnRoles where try contains(key, columnRole) { return true }
    return false
  }

  /// Returns whether an object is marked for the property with this label.
  package func contains(_ key: Int64, named label: String) throws(SQLiteError) -> Bool {
    try keys[label]?.contains(key) ?? false
  }
}

/// A comparison of the properties of two matched objects.
package struct PropertyComparison {
  /// The attributes, in the order of their columns in `values`.
  private let attributes: [ColumnRole]
  private let links: [MatchHashes.Link]
  /// The attributes' values on each side, named `a0`, `a1` and so on.
  package let values: Sided<[String]>
  /// The attributes that are part of a link by values whose target may have been removed in the destination.
  ///
  /// For each there are two columns among the source's values: `b0`, `b1` and so on tell whether the target was removed
  /// in a conflict; `c0`, `c1` and so on whether it was removed without one.
  private let linked: Set<Int>

  /// For each attribute, the indices in `links` of the links that are joint with it.
  private let joint: [[Int]]

  /// The compared properties.
  package var columnRoles: [ColumnRole] { attributes + links.map(\.columns.destination.columnRole) }

  /// Whether an attribute may have another value in the source without being different, as its link has no target
  /// afterwards.
  package var mayLead: Bool { !linked.isEmpty || joint.contains { !$0.isEmpty } }

  /// Prepares to compare objects of `root` by their attributes and by `links`; `away` contains the objects of the
  /// source that the destination removed.
  package init(_ root: MatchRoot, _ hashes: MatchHashes, _ links: [MatchHashes.Link], away: [String: KeySet]) {
    self.links = links
    let attributes = hashes.comparedProperties(of: root, .source).map(\.columnRole)
    var values = Sided { side in
      hashes.comparedProperties(of: root, side).enumerated().map { "\($1.value) AS a\($0)" }
    }
    func conditions(isConflict: Bool) -> [String: String] {
      RemovedTargets.conditions(of: root, in: hashes.layouts.source) { target in
        guard away[target.root] != nil, let root = hashes.root(target.root) else { return nil }
        let isContested = hashes.isContested(root, target.keyName)
        return
          "is_away(\(target.root.sqlText), \(target.keyName)) AND \(isConflict ? "" : "NOT ")\(isContested)"
      }
    }
    let (open, lost) = (conditions(isConflict: true), conditions(isConflict: false))
    let linked = attributes.indices.filter { open[attributes[$0].label] != nil }
    for index in linked {
      let label = attributes[index].label
      values.source += ["\(open[label] ?? "0") AS b\(index)", "\(lost[label] ?? "0") AS c\(index)"]
    }
    self.linked = Set(linked)
    joint = attributes.map { attribute in
      let unit = root.relations.destination.jointProperties(with: attribute)
      return links.indices.filter { unit.contains(links[$0].columns.destination.columnRole) }
    }
    (self.attributes, self.values) = (attributes, values)
  }

  /// Returns a number for each property, on the rows `l` and `d`.
  ///
  /// The number is the sum of 1 if they differ, 2 if the first has no value, 4 if the second has none, and 8 if the
  /// first links to an object in an undecided conflict.
  ///
  /// The type of a link that leads nowhere is no difference, since neither the link nor its type is taken.
  ///
  /// - Parameters:
  ///   - differs: For each link the condition that it differs; `z0`, `z1` and so on contain whether it leads nowhere.
  ///   - areOpen: Whether objects may be in undecided conflicts: `y0`, `y1` and so on contain this for links.
  /// - Returns: An SQL expression for each attribute, then for each link.
  package func columns(_ differs: [String], areOpen: Bool = false) -> [String] {
    attributes.indices.map { index in
      let differs =
        (["mix(l.a\(index)) IS NOT mix(d.a\(index))"] + joint[index].map { "NOT l.z\($0)" }).joined(separator: " AND ")
      return "(\(differs)\(linked.contains(index) ? " AND NOT l.c\(index)" : "")) "
        + "+ 2 * (l.a\(index) IS NULL) + 4 * (d.a\(index) IS NULL)"
        + (linked.contains(index) ? " + 8 * l.b\(index)" : "")
    }
      + differs.enumerated().map { index, condition in
        "(\(condition)) + 2 * (l.n\(index) IS 0) + 4 * (d.n\(index) IS 0)"
          + (areOpen ? " + 8 * l.y\(index)" : "")
      }
  }

  /// Returns the differences in a row whose columns from `first` are those of `columns`.
  package func differences(_ row: Statement, from first: Int) -> [PropertyDifference] {
    columnRoles.enumerated().compactMap { index, columnRole in
      let flags = row.integer(at: first + index)
      guard flags & 1 != 0 else { return nil }
      return PropertyDifference(
        columnRole: columnRole,
        isEmptyInSource: flags & 2 != 0,
        isEmptyInDestination: flags & 4 != 0,
        isOpen: flags & 8 != 0
      )
    }
  }
}
