internal import DecantBase
package import DecantPlan
package import DecantPostgres

/// The names of what was copied from a store.
extension ServerNames {
  /// Returns a name of a model in the usual SQL notation: `createdAt` as `created_at`, `sourceURL` as `source_url`.
  static func snakeCase(_ name: String) -> String {
    let characters = Array(name)
    var words = ""
    for (index, character) in characters.enumerated() {
      if character.isUppercase, index > 0 {
        let before = characters[index - 1]
        let isLastOfCapitals =
          before.isUppercase && index + 1 < characters.count && characters[index + 1].isLowercase
        if before.isLowercase || before.isNumber || isLastOfCapitals { words += "_" }
      }
      words += character.lowercased()
    }
    return systemColumns.contains(words) ? words + "_2" : words
  }

  /// Returns the name for one of a plain database, in which case is ignored only for ASCII letters.
  package static func plain(_ name: String, _ names: TableNaming) -> String {
    guard names == .small else { return name }
    return String(decoding: name.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
  }

  /// Returns the name for one of a model.
  package static func name(_ name: String, _ names: TableNaming) -> String {
    switch names {
    case .small: snakeCase(name)
    case .model: systemColumns.contains(name) ? name + "_2" : name
    }
  }
}
