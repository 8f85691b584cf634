internal import DecantPlan

extension ArchiveHeader {
  /// Whether the store that it was made of travels along, and has a model.
  package var hasModel: Bool {
    source.template != nil
      && ArchiveKind.database(named: source.kind)?.abilities.contains(.hasModel) == true
  }
}
