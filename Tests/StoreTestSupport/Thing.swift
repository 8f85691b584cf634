internal import Foundation
package import TestSupport

/// An object of the conformance model, in words that every kind of store can be asked for.
///
/// A thing has a value of each type, one `next` thing, an ordered list of `parts`, and labels.
package struct Thing: Equatable {
  /// The key as the store has it; of no meaning beyond one store.
  package var key: Int
  /// SQL literals by attribute; what is absent is NULL.
  package var values: [String: String] = [:]
  package var next: Int?
  package var whole: Int?
  /// The place among the parts of `whole`; only the order counts.
  package var position: Int?
  /// Keys of labels.
  package var labels: Set<Int> = []

  package init(
    key: Int,
    values: [String: String] = [:],
    next: Int? = nil,
    whole: Int? = nil,
    position: Int? = nil,
    labels: Set<Int> = []
  ) {
    (self.key, self.values, self.next, self.whole) = (key, values, next, whole)
    (self.position, self.labels) = (position, labels)
  }

  /// The attributes of the model, each named after its type, and extreme values of it.
  package static let extremes: [String: [String]] = [
    "int16": ["-32768", "32767", "0"],
    "int32": ["-2147483648", "2147483647"],
    "int64": ["-9223372036854775807 - 1", "9223372036854775807"],
    "bool": ["0", "1"],
    "double": [
      "1.7976931348623157e308", "5e-324", "-0.0", "0.1", "9e999", "-9e999", "1e15 + 0.3",
    ],
    "float": ["3.4028234663852886e38", "0.10000000149011612", "1.401298464324817e-45"],
    "decimal": ["0.1", "123456789012345", "-1e-28", "7922816251426433759"],
    "date": ["0", "-63114076800", "64092211200", "694223999.9999999", "1e-9"],
    "string": [
      "''", "'plain'", "'it''s \"quoted\" %_'", "char(0x1F469, 0x200D, 0x1F373)",
      "'e' || char(0x301)",
      "char(233)", "char(0xFEFF) || 'mark'", "'a' || char(0) || 'b'", "char(0x10FFFF)",
      "'line' || char(13, 10) || char(9) || 'two'", "printf('%.*c', 20000, 'x')",
      "CAST(x'ff80' AS TEXT)",
    ],
    "uri": ["'https://example.org/?q=%20'", "'x-coredata://STORE/Thing/p1'"],
    "uuid": ["x'00112233445566778899aabbccddeeff'", "zeroblob(16)"],
    "binary": ["x''", "x'00'", "zeroblob(70000)", "randomblob(5000)", "x'53514c697465'"],
    "transformable": ["x'62706c6973743030'", "randomblob(300)"],
  ]

  /// Things with every extreme value of every type, one that has none, and one that has all.
  package static var withExtremes: [Thing] {
    var things = [Thing(key: 1)]
    for (name, literals) in extremes.sorted(by: { $0.key < $1.key }) {
      for literal in literals {
        things.append(Thing(key: things.count + 1, values: [name: literal]))
      }
    }
    things.append(Thing(key: things.count + 1, values: extremes.compactMapValues(\.last)))
    return things
  }

  /// Things at random: values, links forward, backward, to themselves and round in circles.
  package static func random(_ count: Int, _ generator: inout SeededGenerator) -> [Thing] {
    var keys: Set<Int> = []
    while keys.count < count { keys.insert(Int.random(in: 1...(count * 3), using: &generator)) }
    let sorted = keys.sorted()
    return sorted.map { key in
      var thing = Thing(key: key)
      for (name, literals) in extremes.sorted(by: { $0.key < $1.key })
      where Bool.random(using: &generator) {
        // The same twice in different stores: nothing that SQLite draws itself.
        thing.values[name] = literals.filter { !$0.hasPrefix("random") }.randomElement(using: &generator)
      }
      if Bool.random(using: &generator) { thing.next = sorted.randomElement(using: &generator) }
      if Bool.random(using: &generator) {
        thing.whole = sorted.randomElement(using: &generator)
        thing.position = 2048 + 1024 * Int.random(in: -3...20, using: &generator)
      }
      for label in 1...3 where Bool.random(using: &generator) { thing.labels.insert(label) }
      return thing
    }
  }
}

/// Things as a reader of another make finds them in a store, without their keys.
///
/// Links are told by the target's place in key order, so that stores can be compared that number their
/// objects differently.
package struct FoundThings: Equatable {
  /// In key order: every value with its storage class, then the links.
  package var things: [String]

  /// - Parameters:
  ///   - rows: Key, values as text, `next`, `whole`, `position` and labels, in key order.
  ///   - labels: The keys of all labels, in order.
  package init(_ rows: [(key: Int, values: String, thing: Thing)], labels: [Int]) {
    let ranks = Dictionary(uniqueKeysWithValues: rows.enumerated().map { ($1.key, $0) })
    let labelRanks = Dictionary(uniqueKeysWithValues: labels.enumerated().map { ($1, $0) })
    let rank = { (key: Int?) in key.map { ranks[$0].map(String.init) ?? "nowhere" } ?? "none" }
    things = rows.map { row in
      let labels = row.thing.labels.map { labelRanks[$0].map(String.init) ?? "nowhere" }.sorted()
      return [
        row.values, "next \(rank(row.thing.next))",
        "in \(rank(row.thing.whole)) at \(row.thing.position.map(String.init) ?? "none")",
        "labels \(labels)",
      ].joined(separator: "; ")
    }
  }
}
