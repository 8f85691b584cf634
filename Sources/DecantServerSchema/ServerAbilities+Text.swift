package import DecantBase
package import DecantPostgres
internal import DecantSystem

extension ServerAbilities {
  /// The environment variable with the abilities that are switched off, separated by blanks or commas.
  private static let variable = "DECANT_SERVER_WITHOUT"

  /// Returns the abilities that the environment switches off; throws for a name that none has.
  package static func switchedOff() throws(DecantError) -> Set<Ability> {
    let names = getenv(variable).map { String(cString: $0) } ?? ""
    var found: Set<Ability> = []
    for name in names.split(whereSeparator: { " ,".contains($0) }) {
      guard let ability = Ability(rawValue: String(name)) else {
        throw DecantError(
          .unsuitableOption,
          "the environment variable \(variable) names “\(name)”, which is no ability of a server",
          remedy: "name some of these: \(Ability.allCases.map(\.rawValue).joined(separator: ", "))"
        )
      }
      found.insert(ability)
    }
    return found
  }

  /// The abilities as a comment before the statements of a dry run.
  package var comment: String {
    let (there, missing) = (Ability.allCases.filter(has), Ability.allCases.filter { !has($0) })
    func list(_ abilities: [Ability]) -> String {
      abilities.isEmpty ? "none" : abilities.map(\.rawValue).joined(separator: ", ")
    }
    return "/* abilities of the server: \(list(there)); missing: \(list(missing)) */"
  }

  /// Returns a note about those of `abilities` that the server lacks; `nil` if it has all of them.
  package func note(of abilities: Set<Ability>) -> ReportNote? {
    let lacking = Ability.allCases.filter { abilities.contains($0) && !has($0) }
    guard !lacking.isEmpty else { return nil }
    return ReportNote(.abilitiesMissing, "the server lacks \(lacking.map(\.words).joined(separator: "; "))")
  }
}

extension ServerAbilities.Ability {
  /// The ability and what is done without it, for a note.
  fileprivate var words: String {
    switch self {
    case .copyOut: "COPY TO with binary values: rows are read one by one"
    case .writtenRows: "counts of the rows that a transaction has written: all rows are read again"
    case .notValid: "foreign keys that are checked later (NOT VALID): rows are checked before each key is added"
    case .deferrable: "deferrable constraints: foreign keys hold after each statement"
    case .atomicDDL: "transactions of statements that make tables: the tables are visible while they are filled"
    }
  }
}
