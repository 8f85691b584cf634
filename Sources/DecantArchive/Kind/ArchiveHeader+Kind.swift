internal import DecantPlan

extension ArchiveHeader {
  /// Whether the archive contains a template of its store that has a model.
  package var hasModel: Bool {
    source.template != nil
      && ArchiveKind.database(named: source.kind)?.abilities.contains(.hasModel) == true
  }
}
