/// The table of cases.
enum LawCases {
  static let all = defects + shapes + matrix + missing + policies + duplicates + stores
}
