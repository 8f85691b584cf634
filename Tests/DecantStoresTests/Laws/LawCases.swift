/// The table of cases.
enum LawCases {
  static let all =
    defects + links + lineage + shapes + matrix + missing + policies + duplicates + stores
}
