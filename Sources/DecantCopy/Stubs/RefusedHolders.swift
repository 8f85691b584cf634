internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The objects that are not copied as a link of theirs leads nowhere, and a rule rejects them for it.
///
/// For what they lead to no empty object is made. One that is made for others may be what they lack: so it is
/// asked again as long as there come more.
struct RefusedHolders {
  /// The links for which objects are rejected, each numbered 1 where nothing is copied that it leads to; `nil` where
  /// no rule rejects.
  private let reach: Reach?

  /// Notes the links, before it is known which empty objects there are.
  ///
  /// - Parameters:
  ///   - links: Those that the destination holds.
  ///   - rules: What becomes of them.
  ///   - connection: Where the source is read.
  ///   - written: Puts the name of the destination's schema into SQL.
  /// - Throws: `SQLiteError` where the source cannot be read.
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

  /// Whether there may be any.
  var matter: Bool { reach != nil }

  /// Finds them, with the empty objects that there are by now.
  ///
  /// - Parameter stubs: Where these stand, by root entity: the select of their keys.
  /// - Throws: `SQLiteError` where there is no room for them.
  func settle(_ stubs: [(root: String, keys: String)]) throws(SQLiteError) {
    guard let reach else { return }
    let made = stubs.map { "end_root = \($0.root.sqlText) AND end_key IN (\($0.keys))" }
    let isMade = made.isEmpty ? "0" : made.joined(separator: " OR ")
    try reach.restart()
    try reach.begin(at: "SELECT end_root, end_key FROM \(reach.links) WHERE link AND NOT (\(isMade))")
    try reach.spread()
  }

  /// The conditions that the object of `root` with the key `key` is none of them.
  func conditions(_ root: String, _ key: String = "r._id") -> [String] {
    reach.map { ["\(key) NOT IN \($0.keys(of: root))"] } ?? []
  }

  /// The same of those that hold `link`, where integers name them.
  func conditions(_ link: LinkColumn) -> [String] {
    link.step.hasObjectKeys ? conditions(link.root) : []
  }
}

extension CopyStep {
  /// Whether integers name its objects.
  fileprivate var hasObjectKeys: Bool { if case .objects = kind { true } else { false } }
}
