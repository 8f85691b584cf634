import StoreTestSupport
import TestSupport
import Testing

/// Every case of the table, under every law.
@Suite struct LawTests {
  @Test(arguments: LawCases.chosen)
  func `a case keeps every law`(test: LawCase) throws {
    let scene = try LawScene(test)
    for law in test.laws {
      // What keeps a check from being made, such as a crash, is no known failure.
      let found = try scene.violations(of: law)
      let judge = { _ = #expect(found == [], "\(test.name): \(law.rawValue)") }
      if test.known.contains(law) {
        let place = test.defect.map { "case \($0) of the design" } ?? "no case of the design"
        withKnownIssue("\(place): \(law.rawValue)", judge)
      } else {
        judge()
      }
    }
  }

  @Test func `known failures are counted`() {
    let known = LawCases.all.map { ($0, $0.known.count) }.filter { $0.1 > 0 }
    let checks = LawCases.all.reduce(0) { $0 + $1.laws.count }
    print(
      "laws: \(LawCases.all.count) cases, \(checks) checks, \(known.reduce(0) { $0 + $1.1 }) known to fail, in \(known.count) cases"
    )
    #expect(Set(LawCases.all.map(\.name)).count == LawCases.all.count)
  }
}
