/// The table of cases.
enum LawCases {
  static let all = defects + lineage + shapes + matrix + missing + policies + duplicates + stores
}
