internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The unpaired objects of a root entity that have equal keys in both stores.
struct EqualKeyRows {
  private let root: MatchRoot
  let rows: Sided<String>
  /// All objects of each store.
  private let all: Sided<String>
  private var sources: String { all.source }
  /// The indices of the compared values: the object's own, then the targets of its links.
  let columns: Range<Int>
  /// The values that can distinguish objects on their own: the object's own values, and one-to-one links.
  let informative: [Int]
  private let singles: Set<Int>
  /// The values that are part of a uniqueness constraint.
  private let named: [Int]
  /// The links whose targets are known to be in only one of the stores, if they are.
  private let exclusive: [Int]
  let owners: Range<Int>
  /// The indices of the sums of an object's parts.
  let parts: Range<Int>
  /// The number of the object's own values.
  private let ownCount: Int
  /// Whether objects that have an identity in both stores are excluded.
  private let regardsIdentities: Bool
  /// The numbers that must be unique and are no identity, as objects have exchanged them: they tell nothing.
  private let givenUp: Set<Int>
  /// The values that all objects have.
  private var constant: Set<Int> = []

  /// For each compared value the most common one, as SQL: a literal, or a SELECT of a long one.
  private var common: [Int: String] = [:]
  /// The most common values that are too long for a literal: `place` and `v`.
  private var longValues: TemporaryTable?
  private static let sampleSize = 1_000

  /// The maximum number of objects that are examined again, value by value.
  static let limit = 10_000

  /// Creates the rows of a root entity.
  ///
  /// - Parameters:
  ///   - root: The root entity.
  ///   - hashes: The definition of hashes.
  ///   - pairs: The pairs found so far.
  ///   - isMoved: Whether to use the source's objects that have a partner of equal content and another key, instead of
  ///     unpaired ones.
  ///   - decided: The root entities whose pairs are known.
  ///   - regardsIdentities: Whether objects that have an identity in both stores are excluded.
  init(
    _ root: MatchRoot,
    _ hashes: MatchHashes,
    _ pairs: ObjectPairs,
    isMoved: Bool = false,
    decided: Set<String> = [],
    regardsIdentities: Bool = true
  ) {
    (self.root, self.regardsIdentities) = (root, regardsIdentities)
    var counts = (values: 0, own: 0, owners: 0, parts: 0)
    let singles = hashes.links(of: root).enumerated().filter { hashes.isSingle($0.element) }.map(\.offset)
    func rows(_ side: MatchSide, _ conditions: [String]) -> String {
      func tokens(_ links: [MatchHashes.Link]) -> [String] {
        links.map { link in
          let key = root.relations[side].value(of: link.columns[side])
          return "ifnull(\(hashes.targetToken(link, key, side)), 'only \(side.rawValue)')"
        }
      }
      let links = hashes.links(of: root)
      // The first one is the entity.
      let own = hashes.comparedValues(of: root, side).dropFirst()
      let values = own + tokens(links)
      let owners = tokens(links.filter(\.isOwner))
      let parts = hashes.ownedSums(of: root, side)
      counts = (values.count, own.count, owners.count, parts.count)
      let identity = hashes.anyIdentity(of: root, side) ?? "NULL"
      let columns =
        ["\(root.key(side)) AS k", "\(root.entity(side)) AS e", "\(identity) AS i"]
        + values.enumerated().map { "\($1) AS v\($0)" }
        + owners.enumerated().map { "\($1) AS o\($0)" } + parts.enumerated().map { "\($1) AS p\($0)" } + [
          "\(MixFunction.sql(Array(own))) AS h"
        ]
      return SelectStatement(columns: columns, source: root.table(side), conditions: conditions).sql
    }
    self.rows = Sided { side in
      isMoved && side == .source
        ? rows(side, ["\(root.key(side)) IN (\(pairs.movedContent))"])
        : rows(
          side,
          ["\(root.key(side)) NOT IN (SELECT \(side.column) FROM \(pairs.table))"]
            + pairs.openConditions(root.key(side), side)
        )
    }
    all = Sided { rows($0, []) }
    self.singles = Set(singles.map { counts.own + $0 })
    let unique = hashes.uniqueNames(of: root)
    named = hashes.comparedProperties(of: root, .destination).enumerated().filter { _, property in
      guard case .attribute(let attribute) = property.columnRole else { return false }
      return unique.contains(attribute.name)
    }.map(\.offset)
    let kept = Set(
      (root.identities.values + root.furtherIdentities.flatMap(\.values)).flatMap(\.attributes).map(\.name))
    let numbers = hashes.comparedProperties(of: root, .destination).enumerated().filter { _, property in
      guard case .attribute(let attribute) = property.columnRole else { return false }
      let isNumber = root.relations.destination.column(property.columnRole)?.type?.isNumber == true
      return isNumber && unique.contains(attribute.name) && !kept.contains(attribute.name)
    }
    givenUp = Set(numbers.map(\.offset))
    exclusive = hashes.links(of: root).enumerated().filter { decided.contains($0.element.target) }
      .map { counts.own + $0.offset }
    informative = (0..<counts.own).filter { !numbers.map(\.offset).contains($0) } + singles.map { counts.own + $0 }
    (columns, owners, parts, ownCount) = (0..<counts.values, 0..<counts.owners, 0..<counts.parts, counts.own)
  }

  /// The values that are almost always different; of few objects, also texts that are different in all.
  private(set) var distinct: Set<Int> = []
  /// Those among them that are almost always different in many objects.
  private var clearlyDistinct: Set<Int> = []

  /// Finds the values that more than half of the objects have: agreement in these is no evidence.
  mutating func leaveOutCommonValues(on connection: Connection) throws(SQLiteError) {
    for column in columns where !givenUp.contains(column) {
      try connection.forEachRow(
        """
        SELECT count(v) >= \(named.contains(column) ? 2 : 8) AND count(DISTINCT v) * 10 >= count(v) * 9,
          count(*) > 1 AND count(DISTINCT v) <= 1,
          count(*) > 1 AND count(DISTINCT v) = count(*) AND min(typeof(v) = 'text')
        FROM (SELECT v\(column) AS v FROM (\(sources)) LIMIT \(EqualKeyRows.sampleSize))
        """
      ) { row in
        if row.integer(at: 0) == 1 { clearlyDistinct.insert(column) }
        if row.integer(at: 0) == 1 || row.integer(at: 2) == 1 && column < ownCount { distinct.insert(column) }
        if row.integer(at: 1) == 1 { constant.insert(column) }
      }
      let most = """
        FROM (SELECT v, count(*) AS c, sum(count(*)) OVER () AS n
          FROM (SELECT v\(column) AS v FROM (\(sources)) LIMIT \(EqualKeyRows.sampleSize)) GROUP BY v)
        WHERE v IS NOT NULL AND c > 3 AND c * 2 > n
        """
      common[column] = try connection.text("SELECT iif(length(v) <= 1000, quote(v), '') \(most)")
      guard common[column] == "" else { continue }
      if longValues == nil { longValues = try TemporaryTable("(place INTEGER, v)", on: connection) }
      guard let table = longValues else { continue }
      try connection.run("INSERT INTO \(table) SELECT \(column), v \(most)")
      common[column] = "SELECT v FROM \(table) WHERE place = \(column)"
    }
  }

  /// Returns a SELECT of a row if there is an object with a key above `key`.
  func any(above key: Int64?) -> String {
    "SELECT 1 FROM \(both)" + (key.map { " AND s.k > \($0)" } ?? "") + " LIMIT 1"
  }

  /// A SELECT of a row if one of the first objects of the source equals the destination's object with its key.
  var anySame: String {
    let agree = (["s.e IS d.e"] + columns.map { "s.v\($0) IS d.v\($0)" }).sqlJoined(by: "AND")
    return """
      SELECT 1 FROM (SELECT * FROM (\(all.source)) ORDER BY k LIMIT \(EqualKeyRows.limit)) AS s
      JOIN (\(all.destination)) AS d ON d.k = s.k WHERE \(agree) LIMIT 1
      """
  }

  /// A SELECT of the highest key below `limit` with equal own values in both stores; NULL if there is no such key.
  func highestEqual(below limit: String) -> String { "SELECT max(s.k) FROM \(both) AND s.k < \(limit) AND \(areEqual)" }

  /// The condition that a link leads to an object that only the source has, and to one that only the destination has.
  private var leadApart: String {
    let links = exclusive.map {
      "s.v\($0) IS 'only \(MatchSide.source.rawValue)' AND d.v\($0) IS 'only \(MatchSide.destination.rawValue)'"
    }
    return links.isEmpty ? "0" : links.sqlJoined(by: "OR")
  }

  /// The condition that several own values of an object, or its only one if that is a text with words, are equal in both
  /// stores, and that no other object of the source has them all.
  private var areEqual: String {
    let values = (0..<ownCount).map { "(s.v\($0) IS NOT NULL)" }
    guard !values.isEmpty else { return "0" }
    let tell = values.count > 1 ? "\(values.sqlJoined(by: "+")) > 1" : EqualKeyRows.hasWords("s.v0")
    return "s.h IS d.h AND \(tell) AND NOT (\(leadApart)) "
      + "AND s.h NOT IN (SELECT h FROM (\(sources)) GROUP BY 1 HAVING count(*) > 1)"
  }

  private var both: String {
    """
    (\(rows.source)) AS s JOIN (\(rows.destination)) AS d ON d.k = s.k
    WHERE s.e IS d.e\(regardsIdentities ? " AND (s.i IS NULL OR d.i IS NULL)" : "")
    """
  }

  /// A SELECT of their keys.
  var keys: String { "SELECT s.k FROM \(both)" }

  /// A SELECT of the key, the number of agreeing values, the number of values, whether the owners are the same, whether
  /// they are different objects, whether the own values are equal, whether a text was edited, and the number of texts that
  /// were.
  var select: String {
    let same = (["1"] + owners.map { "s.o\($0) IS d.o\($0)" }).joined(separator: " AND ")
    return
      "SELECT s.k, \(agreeing), \(known), \(same), \(isOther), \(areEqual), \(isEdited), \(edited) FROM \(both) ORDER BY 1"
  }

  /// The number of values in which the objects `s` and `d` agree.
  var agreeing: String { sum { "\(isInformative($1, $0)) AND \($1) IS \($2)" } }

  /// The number of values that one of them has.
  var known: String { sum { "\(isInformative($1, $0)) OR \(isInformative($2, $0))" } }

  private func sum(_ term: (Int, String, String) -> String) -> String {
    let compared = columns.filter { !givenUp.contains($0) }
    return compared.isEmpty
      ? "0" : compared.map { "(\(term($0, "s.v\($0)", "d.v\($0)")))" }.sqlJoined(by: "+")
  }

  /// The values by which objects are distinguished, of both.
  private var distinguishing: [(one: String, other: String)] {
    distinct.sorted().map { (one: "s.v\($0)", other: "d.v\($0)") }
  }

  /// The number of values that are almost always different, and of groups of parts, in which they agree.
  var distinguishingAgreeing: String {
    let agree = (distinguishing + parts.map { ("s.p\($0)", "d.p\($0)") }).map {
      "(\($0.one) IS NOT NULL AND \($0.one) IS \($0.other))"
    }
    return agree.isEmpty ? "0" : agree.sqlJoined(by: "+")
  }

  /// Returns the condition that a value is a text of more than digits and what dates and times have beside them.
  private static func hasWords(_ value: String) -> String {
    "(typeof(\(value)) = 'text' AND \(value) GLOB '*[^-0-9:. TZ+/]*')"
  }

  /// The number of texts with words among these values in which they agree, such as titles.
  var wordsAgreeing: String {
    let agree = distinguishing.map { "(\($0.one) IS \($0.other) AND \(EqualKeyRows.hasWords($0.one)))" }
    return agree.isEmpty ? "0" : agree.sqlJoined(by: "+")
  }

  /// The number of texts with words among these values in which they differ, not counting edited texts.
  var wordsDiffering: String {
    let unlike = distinguishing.map {
      "(\(EqualKeyRows.differ($0.one, $0.other)) AND (\(EqualKeyRows.hasWords($0.one)) OR \(EqualKeyRows.hasWords($0.other))))"
    }
    return unlike.isEmpty ? "0" : unlike.sqlJoined(by: "+")
  }

  /// The number of values that are almost always different in which they differ, not counting edited texts.
  var distinguishingDiffering: String {
    let unlike = distinguishing.map { EqualKeyRows.differ($0.one, $0.other) }
    return unlike.isEmpty ? "0" : unlike.sqlJoined(by: "+")
  }

  private static func differ(_ one: String, _ other: String) -> String {
    "(\(one) IS NOT NULL AND \(other) IS NOT NULL AND \(one) IS NOT \(other) AND NOT edited_text(\(one), \(other)))"
  }

  /// The condition that they agree in a value that is almost always different, and that no other object of either store
  /// has it.
  var shareUnique: String {
    let shared = distinct.sorted().map { column in
      let single = MatchSide.allCases.map { side in
        "s.v\(column) IN (SELECT v\(column) FROM (\(all[side])) GROUP BY 1 HAVING count(*) = 1)"
      }
      return "(s.v\(column) IS d.v\(column) AND \(single.sqlJoined(by: "AND")))"
    }
    return shared.isEmpty ? "0" : shared.sqlJoined(by: "OR")
  }

  /// The condition that they are different objects: as many of the values that are almost always different differ as
  /// agree, or links lead to objects that the other store lacks.
  var isOther: String { "(\(distinguishingDiffering) >= max(1, \(distinguishingAgreeing))) OR (\(leadsToOther))" }

  /// The condition that a text is that of the other after an edit, which may have added numbers alone, and that no link leads
  /// to an object that the other store lacks.
  private var isEdited: String {
    let edited = (0..<ownCount).filter { !givenUp.contains($0) }.map { "edited_text(s.v\($0), d.v\($0), 1)" }
    return edited.isEmpty ? "0" : "(\(edited.sqlJoined(by: "OR"))) AND NOT (\(leadApart))"
  }

  /// The number of texts that are those of the other after an edit, if another own value agrees.
  private var edited: String {
    let own = (0..<ownCount).filter { !givenUp.contains($0) }
    guard own.count > 1 else { return "0" }
    let agree = own.map { "(\(isInformative("s.v\($0)", $0)) AND s.v\($0) IS d.v\($0))" }
    let texts = own.map { "edited_text(s.v\($0), d.v\($0))" }
    return "iif(\(agree.sqlJoined(by: "OR")), \(texts.sqlJoined(by: "+")), 0)"
  }

  /// A SELECT of the keys of different objects.
  var others: String { "SELECT s.k FROM \(both) AND (\(isOther))" }

  /// The condition that a link leads to objects that the other store lacks, unless one of these was renamed: the other
  /// values agree, one of them is a text with words that is almost always different, and only this object has them all.
  var leadsToOther: String {
    let equal = (0..<ownCount).filter { !constant.contains($0) && !givenUp.contains($0) }.map {
      "(\(isInformative("s.v\($0)", $0)) AND s.v\($0) IS d.v\($0))"
    }
    let isKnown = distinct.sorted().map { "(s.v\($0) IS d.v\($0) AND \(EqualKeyRows.hasWords("s.v\($0)")))" }
    let isAlike =
      equal.count < 2 || isKnown.isEmpty
      ? "0"
      : "\(equal.sqlJoined(by: "+")) >= 2 AND s.h IS d.h AND (\(isKnown.sqlJoined(by: "OR"))) "
        + "AND s.h IN (SELECT h FROM (\(sources)) GROUP BY 1 HAVING count(*) <= 2)"
    return "(\(leadApart)) AND NOT (\(isAlike))"
  }

  /// Returns a SELECT of those `keys` whose value of `column` agrees and is shared by at most one other object of the
  /// source.
  ///
  /// A small integer may be a kind or a count, which objects share by chance: it counts only if values are almost
  /// always different. A one-to-one link is always rare: the target has no other object. If it `isOfWords`, the value is a
  /// text with words.
  func rare(_ column: Int, among keys: Set<Int64>, isOfWords: Bool = false) -> String {
    let value = "v\(column)"
    let hasWords = isOfWords ? " AND \(EqualKeyRows.hasWords("s.\(value)"))" : ""
    let isNumber = "typeof(s.\(value)) IN ('integer', 'real')"
    let isRare =
      clearlyDistinct.contains(column) || singles.contains(column)
      ? "1"
      : "(NOT \(isNumber) OR s.\(value) NOT BETWEEN -99999 AND 99999 OR s.\(value) <> CAST(s.\(value) AS INTEGER))"
    return """
      SELECT s.k FROM \(both) AND s.\(value) IS d.\(value) AND \(isInformative("s.\(value)", column))\(hasWords)
        AND \(isRare) AND s.k IN (\(keys.map(String.init).joined(separator: ", ")))
        AND s.\(value) IN (SELECT \(value) FROM (\(sources)) GROUP BY 1 HAVING count(*) <= 2)
      """
  }

  /// Returns whether a value is neither an initial value nor the most common one.
  func isInformative(_ value: String, _ column: Int) -> String {
    let isOther = common[column].map { " AND \(value) NOT IN (\($0))" } ?? ""
    return "(\(value) IS NOT NULL AND \(value) NOT IN (0, '')\(isOther))"
  }
}
