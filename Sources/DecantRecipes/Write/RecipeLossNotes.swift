package import DecantBase

/// What recipes lose in a format, counted and put into words.
package struct RecipeLossNotes {
  private var counts: [String: Int64] = [:]
  /// The titles of recipes in which something could not be read, up to three for each.
  private var unread: [String: [String]] = [:]
  private var unreadCounts: [String: Int64] = [:]

  package init() {
  }

  /// Adds what one recipe loses.
  ///
  /// - Parameters:
  ///   - losses: The names of what is lost.
  ///   - names: What in the store no format can hold, in words.
  ///   - title: What the recipe is called.
  package mutating func add(_ losses: [String], unread names: [String], of title: String) {
    for loss in Set(losses) { counts[loss, default: 0] += 1 }
    for name in names {
      unreadCounts[name, default: 0] += 1
      if unread[name, default: []].count < 3 {
        unread[name, default: []].append("“\(title.shownTitle)”")
      }
    }
  }

  /// The notes; the fields that only other formats have share one.
  package func notes(_ format: String) -> [ReportNote] {
    let sorted = counts.sorted { $0.key < $1.key }
    var notes = sorted.filter { !$0.key.hasPrefix(Self.foreign) }.map { name, count in
      ReportNote(.fieldsLost, "\(format) cannot hold: \(name) (\(count.counted("recipe")))")
    }
    let fields = sorted.filter { $0.key.hasPrefix(Self.foreign) }.map { name, count in
      "\(name.dropFirst(Self.foreign.count)) (\(count))"
    }
    if !fields.isEmpty {
      notes.append(
        ReportNote(.fieldsLost, "\(format) cannot hold: fields of other formats: \(fields.joined(separator: ", "))"))
    }
    for (name, count) in unreadCounts.sorted(by: { $0.key < $1.key }) {
      let titles = unread[name] ?? []
      let more = count - Int64(titles.count)
      notes.append(
        ReportNote(
          .notWritten,
          "not written: \(name), of \(titles.joined(separator: ", "))"
            + (more > 0 ? " and \(more) more" : "")))
    }
    return notes
  }

  private static let foreign = "extra."
}
