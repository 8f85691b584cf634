import Foundation
import TestSupport
import Testing

/// The targets of the package: what each may import, and how large it is.
@Suite struct TargetTests {
  /// The targets that `Package.swift` names, each with what it depends on.
  private static let targets: [String: Set<String>] = {
    let path = Fixtures.projectFolder.appendingPathComponent("Package.swift")
    let text = (try? String(contentsOf: path, encoding: .utf8)) ?? ""
    var targets: [String: Set<String>] = [:]
    for match in text.matches(of: /name: "(\w+)",(?:\s*dependencies: \[([^\]]*)\])?/) {
      let names = match.2.map { $0.matches(of: /"(\w+)"/).map { String($0.1) } } ?? []
      targets[String(match.1), default: []].formUnion(names)
    }
    return targets
  }()

  /// All that `target` is built on.
  private static func below(_ target: String) -> Set<String> {
    var found: Set<String> = []
    var open = Array(targets[target] ?? [])
    while let next = open.popLast() {
      guard found.insert(next).inserted else { continue }
      open += targets[next] ?? []
    }
    return found
  }

  /// The Swift files of a target, by path.
  private static func files(of target: String) -> [(path: String, text: String)] {
    let folder = Fixtures.projectFolder.appendingPathComponent("Sources/\(target)")
    guard let walk = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    else { return [] }
    return walk.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }.compactMap {
      file in
      (try? String(contentsOf: file, encoding: .utf8)).map { (file.path, $0) }
    }
  }

  private static let library = targets.keys.filter { $0.hasPrefix("Decant") && $0 != "DecantCLI" }
    .filter { !$0.hasSuffix("Tests") }.sorted()

  @Test("the package has the targets of the library") func targetsAreRead() {
    #expect(Self.library.count >= 18)
    #expect(Self.targets["DecantCopy"]?.contains("DecantMerge") == true)
  }

  /// The targets with a kind of store, except the one that a copy fills and reads for its server.
  private static let kinds = library.filter { target in
    target != "DecantPostgresStore"
      && files(of: target).contains { $0.text.contains(/struct \w+: (Store|Database)Kind\b/) }
  }

  @Test("the kinds of stores are found") func kindsAreRead() {
    #expect(Set(["DecantCoreData", "DecantPlain", "DecantArchive", "DecantRecipes"]).isSubset(of: Self.kinds))
  }

  @Test("a kind of store is built on its contract, not on what copies it", arguments: kinds)
  func kindsStandApart(kind: String) {
    let copying: Set<String> = [
      "DecantMatch", "DecantProof", "DecantMerge", "DecantCopy", "DecantMigrate", "DecantMaintain",
    ]
    let below = Self.below(kind)
    #expect(below.contains("DecantPlan"))
    #expect(below.isDisjoint(with: copying), "\(kind) is built on \(below.intersection(copying).sorted())")
  }

  @Test("a target imports what it is built on, and nothing else", arguments: library)
  func importsPointDownwards(target: String) {
    let files = Self.files(of: target)
    #expect(!files.isEmpty)
    // Declared, not reached through others: else a change below leaves the target as it was built before.
    let own = Set(Self.targets[target] ?? [])
    // The system's; the C library is named by one target.
    let system: Set<String> = ["Dispatch", "Synchronization"]
    let others: [String: Set<String>] = [
      "DecantFoundation": ["Foundation"],
      "DecantSystem": ["Darwin", "Musl", "Glibc"],
    ]
    for (path, text) in files {
      for match in text.matches(of: /(?m)^(?:@\w+ )*(?:(?:internal|package|public) )?import (?:[a-z]+ )?(\w+)/) {
        let name = String(match.1)
        #expect(
          own.contains(name) || system.contains(name) || others[target]?.contains(name) == true,
          "\(path) imports \(name), which Package.swift does not list among the dependencies of \(target)"
        )
      }
    }
  }

  @Test("a C library is imported where it belongs", arguments: library)
  func systemLibrariesStay(target: String) {
    let places: [String: Set<String>] = [
      "CDecantArchive": ["DecantContainers"], "CDecantCompression": ["DecantContainers"],
      "CDecantZlib": ["DecantContainers"], "CDecantNettle": ["DecantDigests"],
      "CDecantXML2": ["DecantXML"], "CDecantSQLite": ["DecantSQLite"],
      "CDecantLinux": ["DecantBase"], "CDecantYAML": ["DecantYAML"],
      "CDecantUTF8Proc": ["DecantRecipeFormats"], "CDecantPostgres": ["DecantPostgres"],
      "CDecantXXHash": ["DecantBase", "DecantStore", "DecantPlan", "DecantMatch"],
    ]
    for (path, text) in Self.files(of: target) {
      for match in text.matches(of: /(?m)^(?:(?:internal|package|public) )?import (?:[a-z]+ )?(C[A-Z]\w+)/) {
        #expect(places[String(match.1)]?.contains(target) == true, "\(path) imports \(match.1)")
      }
    }
  }

  @Test("no target has more than 12,000 lines", arguments: library)
  func targetsAreSmall(target: String) {
    let count = Self.files(of: target).reduce(0) {
      $0 + $1.text.split(separator: "\n", omittingEmptySubsequences: false).count
    }
    #expect(count <= 12_000, "\(target) has \(count) lines: move a subject of its own to another target")
  }
}
