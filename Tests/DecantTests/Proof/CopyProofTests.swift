import Testing

@testable import DecantMatch
@testable import DecantPlan
@testable import DecantProof
@testable import DecantStore

/// How the sums of two sides are held against each other.
@Suite struct CopyProofTests {
  private let proof = CopyProof(
    plan: CopyPlan(
      steps: ["a", "b"].map { name in
        CopyStep(
          name: name,
          kind: .objects(root: name),
          source: "(SELECT 1)",
          sourceTable: name,
          sourceKey: "id",
          table: name,
          keyColumn: "id",
          assignments: []
        )
      },
      filters: [],
      secondEnds: []
    ),
    layout: Layout(relations: []),
    ids: IDTable(),
    sourceFiles: nil,
    destinationFiles: nil
  )

  private static let sum: RowHash.Sum = {
    var sum = RowHash.Sum()
    sum.add(low: 3, high: 4)
    (sum.count, sum.byteCount) = (1, 8)
    return sum
  }()

  @Test(arguments: ["count", "length", "low", "high", "entity", "missing"])
  func `steps differ where any number of a sum does`(what: String) {
    let expected: ProofSums = ["a": [1: Self.sum], "b": [1: Self.sum]]
    var actual = expected
    #expect(proof.differingSteps(expected, actual).isEmpty)
    switch what {
    case "count": actual["b"]?[1]?.count += 1
    case "length": actual["b"]?[1]?.byteCount -= 1
    case "low": actual["b"]?[1]?.low += 1
    case "high": actual["b"]?[1]?.high -= 1
    case "entity": actual["b"]?[2] = Self.sum
    default: actual["b"] = nil
    }
    #expect(proof.differingSteps(expected, actual).map(\.name) == ["b"])
    #expect(proof.differingSteps(actual, expected).map(\.name) == ["b"])
  }
}
