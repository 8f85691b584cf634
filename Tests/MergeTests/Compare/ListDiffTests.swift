import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Ordered lists are compared by their order, whatever the numbers of the places.
@Suite struct ListDiffTests {
  private func copy(_ scene: ListScene, _ name: String = "copy.sqlite", change: String) throws -> String {
    let copy = scene.folder.path(name)
    try FileManager.default.copyItem(atPath: scene.store, toPath: copy)
    _ = try Program.sqlite3(copy, change.replacing(" links ", with: " \(scene.table) "))
    return copy
  }

  /// What `diff` names and whether `verify` finds everything; both speak for either direction.
  private func compare(_ scene: ListScene, _ copy: String) throws -> (names: [String], isVerified: Bool) {
    var verify = Verify(scene.store, against: copy)
    var diff = Diff(scene.store, copy)
    (verify.model, diff.model) = (scene.model, scene.model)
    diff.differenceLimit = 1_000
    let (proof, report) = (try verify.run(), try diff.run())
    #expect(report.isEqual == report.differences.isEmpty)
    return (report.differences.map(\.description), proof.isEqual)
  }

  /// Three tags of a dish, in the order 2, 1, 3.
  private static let links = [[1, 2, 1024], [1, 1, 2048], [1, 3, 3072], [2, 1, 4096]]

  private func makeScene() throws -> ListScene { try ListScene(tags: ["s", "t", "u"], links: Self.links) }

  @Test(arguments: [
    "UPDATE links SET place = place / 1024", "UPDATE links SET place = place * 7 - 100000",
    "UPDATE links SET place = 5 + (place > 2000) + (place > 3000) * 40 + (place > 4000) * 1000000000000",
  ])
  func `other numbers of the same order are equal`(change: String) throws {
    let scene = try makeScene()
    let sql = scene.places.map { change.replacing("place", with: $0) }.joined(separator: "; ")
    let found = try compare(scene, try copy(scene, change: sql))
    #expect(found.isVerified && found.names.isEmpty, "\(found.names)")
  }

  @Test func `another order is found, and a place that is none`() throws {
    let scene = try makeScene()
    for (number, change) in [
      "UPDATE links SET place = 9999 - place", "UPDATE links SET place = 5000 WHERE place = 1024",
      "UPDATE links SET place = NULL WHERE place = 2048", "UPDATE links SET place = 'x' WHERE place = 2048",
    ].enumerated() {
      let copy = try copy(scene, "copy\(number).sqlite", change: change.replacing("place", with: try tagPlaces(scene)))
      let found = try compare(scene, copy)
      #expect(!found.isVerified && !found.names.isEmpty, "\(change)")
    }
  }

  /// The column with the places of tags in a dish.
  private func tagPlaces(_ scene: ListScene) throws -> String {
    try #require(scene.places.first { $0.hasSuffix("TAGS") })
  }

  @Test func `a member that is gone moves no other`() throws {
    let scene = try makeScene()
    let renumbered = scene.places.map { "UPDATE links SET \($0) = \($0) / 1024 - 1" }.joined(separator: "; ")
    let copy = try copy(scene, change: "DELETE FROM links WHERE rowid = 2; \(renumbered)")
    let found = try compare(scene, copy)
    #expect(!found.isVerified)
    #expect(found.names.count == 1 && found.names[0].hasSuffix("p1 → p1 only in A"), "\(found.names)")
    // The other way round everything is there.
    var back = Verify(copy, against: scene.store)
    back.model = scene.model
    #expect(try back.run().differences.allSatisfy { $0.kind == .added })
  }

  @Test func `a table of links in a plain database counts by the order, too`() throws {
    let scene = try makeScene()
    let plain = scene.folder.path("plain.db")
    var options = CopyOptions()
    options.model = scene.model
    #expect(try Copy(from: scene.store, to: "sqlite:\(plain)", options: options).run().isVerified)
    let columns = "SELECT m.name, c.name FROM sqlite_schema AS m, pragma_table_info(m.name) AS c "
    let places = try Program.sqlite3(plain, columns + "WHERE c.name LIKE '%position'").split(separator: "\n")
      .map { $0.split(separator: "|") }
    #expect(places.count == 2)
    for place in places {
      _ = try Program.sqlite3(plain, "UPDATE \(place[0]) SET \(place[1]) = \(place[1]) / 1024")
    }
    var equal = try compare(scene, plain)
    #expect(equal.isVerified && equal.names.isEmpty, "\(equal.names)")
    _ = try Program.sqlite3(plain, "UPDATE \(places[0][0]) SET \(places[0][1]) = 9 - \(places[0][1])")
    equal = try compare(scene, plain)
    #expect(!equal.isVerified && !equal.names.isEmpty)
  }

  @Test func `steps of a recipe count by their order`() throws {
    let kitchens = try Kitchens()
    try kitchens.copy(kitchens.kitchen, to: kitchens.out)
    _ = try Program.sqlite3(kitchens.out, "UPDATE ZSTEP SET Z_FOK_RECIPE = Z_FOK_RECIPE * 3 - 7")
    #expect(try Verify(kitchens.kitchen, against: kitchens.out).run().isEqual)
    #expect(try Diff(kitchens.kitchen, kitchens.out).run().isEqual)
    _ = try Program.sqlite3(kitchens.out, "UPDATE ZSTEP SET Z_FOK_RECIPE = 0 WHERE Z_PK = 4")
    let differences = try Diff(kitchens.kitchen, kitchens.out).run().differences
    // The other lists of other numbers stay equal.
    let recipe = try Program.sqlite3(kitchens.out, "SELECT ZRECIPE FROM ZSTEP WHERE Z_PK = 4")
    let steps = try Program.sqlite3(kitchens.out, "SELECT Z_PK FROM ZSTEP WHERE ZRECIPE = \(recipe)")
    #expect(Set(differences.flatMap(\.keysInA).map(String.init)) == Set(steps.split(separator: "\n").map(String.init)))
    #expect(try !Verify(kitchens.kitchen, against: kitchens.out).run().isEqual)
  }

  /// Lists with members that share a place or that one side lacks, and with any numbers, held against all pairs of members.
  ///
  /// Each dish has tags of its own, so that the lists of tags have one member.
  @Test(arguments: 1...4) func `random lists are equal exactly if every two members are as far`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let dishes = 1...40
    var lists: [[(tag: Int, here: Int?, there: Int?)]] = []
    for dish in dishes {
      let factor = Int.random(in: 1...3, using: &generator)
      let isShuffled = Int.random(in: 0...2, using: &generator) == 0
      lists.append(
        (0..<Int.random(in: 1...5, using: &generator)).map { number in
          let here = Int.random(in: 1...6, using: &generator)
          let there = isShuffled ? Int.random(in: 1...6, using: &generator) : here * factor
          let side = Int.random(in: 0...9, using: &generator)
          return (dish * 10 + number, side == 0 ? nil : here, side == 1 ? nil : there)
        })
    }
    let tags = (1...410).map { "t\($0)" }
    func links(_ place: (_ member: (tag: Int, here: Int?, there: Int?)) -> Int?) -> [[Int]] {
      zip(dishes, lists).flatMap { dish, list in
        list.compactMap { member in place(member).map { [dish, member.tag, $0] } }
      }
    }
    let names = dishes.map { "d\($0)" }
    let one = try ListScene(dishes: names, tags: tags, links: links(\.here))
    let other = try ListScene(dishes: names, tags: tags, links: links(\.there))
    var diff = Diff(one.store, other.store)
    (diff.model, diff.differenceLimit) = (one.model, 10_000)
    let report = try diff.run()
    let found = Set(report.differences.filter { $0.kind == .changed }.map { $0.keysInA[0] })
    let expected = zip(dishes, lists).filter { _, list in
      let both = list.compactMap { member in member.here.flatMap { here in member.there.map { (here, $0) } } }
      return both.contains { a in
        both.contains { b in (a.0 - b.0).signum() != (a.1 - b.1).signum() }
      }
    }.map { Int64($0.0) }
    #expect(found == Set(expected))
    #expect(!expected.isEmpty && expected.count < dishes.count)
  }

  /// In the merged list each member has another number than in the source.
  @Test func `a store is there after it was merged into a list of other numbers`() throws {
    let mine = try ListScene(tags: ["s", "t", "u"], links: [[1, 1, 1], [1, 3, 2]])
    let theirs = try ListScene(
      tags: ["s", "t", "u", "v"], links: [[1, 1, 1024], [1, 2, 2048], [1, 4, 2048], [1, 3, 3072]])
    var options = CopyOptions()
    options.merge = MergeRules(.update)
    options.purpose = .merge
    options.model = mine.model
    #expect(try Copy(from: theirs.store, to: mine.store, options: options).run().isVerified)
    let names = """
      SELECT group_concat(ZNAME, '') FROM
        (SELECT ZNAME FROM \(mine.table) JOIN ZTAG ON Z_PK = Z_2TAGS WHERE Z_1DISHES = 1 ORDER BY \(try tagPlaces(mine)), Z_PK)
      """
    #expect(try Program.sqlite3(mine.store, names) == "stvu")
    var verify = Verify(theirs.store, against: mine.store)
    verify.model = mine.model
    let report = try verify.run()
    #expect(report.isEqual, "\(report.differences)")
  }
}
