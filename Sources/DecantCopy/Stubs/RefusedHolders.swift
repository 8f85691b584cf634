internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The objects that are not copied because a rule rejects them for a dangling link.
///
/// No empty objects are created for their link targets. An empty object created for another link may be the missing
/// target, so the search is repeated until it finds no more.
struct RefusedHolders {
  /// The links that reject their objects, numbered 1 if the target is not copied; `nil` if no rule rejects.
  private let reach: Reach?

  /// Records the links, before the empty objects are known.
  ///
  /// - Parameters:
  ///   - links: The links that the destination holds.
  ///   - rules: The rules for them.
  ///   - connection: The connection for reading the source.
  ///   - written: Inserts the name of the destination's schema into SQL.
  /// - Throws: `SQLiteError` if the source cannot be read.
  init(
    _ links: [LinkColumn],
    _ rules: MissingRules,
    on connection: Connection,
    _ written: (String) -> String
  ) throws(SQLiteError) {
    var reach: Reach?
    for link in links where rules.rule(of: link) == .reject {
      guard link.step.hasObjectKeys, let end = link.assignment.expression.uncounted.link else {
        continue
      }
      let (key, image) = ("\(end.calling(.sourceKey))", end.calling(.id))
      if reach == nil { reach = try Reach("refused", on: connection) }
      let target = (link.column.targetRoot ?? link.root).sqlText
      let columns = [target, key, link.root.sqlText, "r._id", "\(image) IS NULL", "NULL"]
      try reach?.add(written(link.select(columns, where: ["\(key) IS NOT NULL"]).sql))
    }
    self.reach = reach
  }

  /// Whether there may be such objects.
  var matter: Bool { reach != nil }

  /// Finds the objects, considering the empty objects created so far.
  ///
  /// - Parameter stubs: The SELECT of the keys of empty objects, by root entity.
  /// - Throws: `SQLiteError` if there is no room for them.
  func settle(_ stubs: [(root: String, keys: String)]) throws(SQLiteError) {
    guard let reach else { return }
    let made = stubs.map { "end_root = \($0.root.sqlText) AND end_key IN (\($0.keys))" }
    let isMade = made.isEmpty ? "0" : made.joined(separator: " OR ")
    try reach.restart()
    try reach.begin(at: "SELECT end_root, end_key FROM \(reach.links) WHERE link AND NOT (\(isMade))")
    try reach.spread()
  }

  /// Returns the conditions that the object of `root` with the key `key` is not among them.
  func conditions(_ root: String, _ key: String = "r._id") -> [String] {
    reach.map { ["\(key) NOT IN \($0.keys(of: root))"] } ?? []
  }

  /// Returns the same conditions for the holders of `link`, if they have integer keys.
  func conditions(_ link: LinkColumn) -> [String] {
    link.step.hasObjectKeys ? conditions(link.root) : []
  }
}

extension CopyStep {
  /// Whether its objects have integer keys.
  fileprivate var hasObjectKeys: Bool { if case .objects = kind { true } else { false } }
}
