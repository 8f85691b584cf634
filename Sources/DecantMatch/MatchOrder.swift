/// The order in which root entities are matched: each after the targets of the links by which it is matched.
package struct MatchOrder {
  /// The groups, in order; entities of one group link to one another in a cycle, or to themselves.
  package let groups: [[String]]

  /// Orders `roots`; `needs` contains for each the entities that come first.
  package init(_ roots: [String], needs: [String: Set<String>]) {
    var search = Search(needs: needs)
    for root in roots where search.numbers[root] == nil { search.visit(root) }
    groups = search.groups
  }

  /// Returns a cycle of names in which each needs the next, or `nil` if there is none.
  static func cycle(_ roots: [String], needs: [String: Set<String>]) -> [String]? {
    let order = MatchOrder(roots, needs: needs)
    guard
      let group = order.groups.first(where: {
        $0.count > 1 || needs[$0[0]]?.contains($0[0]) == true
      })
    else { return nil }
    let members = Set(group)
    var path = [group[0]]
    while let last = path.last,
      let next = needs[last]?.filter({ members.contains($0) }).min()
    {
      if let start = path.firstIndex(of: next) { return Array(path[start...]) + [next] }
      path.append(next)
    }
    return group
  }

  /// Tarjan's algorithm for strongly connected components.
  private struct Search {
    let needs: [String: Set<String>]
    var numbers: [String: Int] = [:]
    var lowest: [String: Int] = [:]
    var stack: [String] = []
    var groups: [[String]] = []

    mutating func visit(_ root: String) {
      numbers[root] = numbers.count
      lowest[root] = numbers[root]
      stack.append(root)
      for next in (needs[root] ?? []).sorted() {
        if numbers[next] == nil {
          visit(next)
          lowest[root] = min(lowest[root] ?? 0, lowest[next] ?? 0)
        } else if stack.contains(next) {
          lowest[root] = min(lowest[root] ?? 0, numbers[next] ?? 0)
        }
      }
      guard lowest[root] == numbers[root], let start = stack.firstIndex(of: root) else { return }
      groups.append(stack[start...].sorted())
      stack.removeSubrange(start...)
    }
  }
}
