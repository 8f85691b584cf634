public import DecantBase
internal import DecantMatch
package import DecantPlan
public import DecantStore

/// The examination of a store for problems and remains of syncing, with a remedy for each.
///
/// The value can be stored and run again; nothing is opened before it runs. The store is never changed.
public struct Doctor: Runnable {
  public let store: StoreLocation
  /// The place of a model to read a Core Data store that does not contain its own.
  public var model: String?
  private let opener: any StoreOpener

  /// Creates an examination of a store of a kind that `opener` supports.
  package init(_ store: StoreLocation, model: String? = nil, opener: any StoreOpener) {
    (self.store, self.model, self.opener) = (store, model, opener)
  }

  /// The examination of the whole structure with its indexes, every object, every link and every external file.
  ///
  /// In a plain database, every column that may hold keys is examined for undeclared links. A store that cannot be read
  /// at all is not a finding but an error of the family `.corruptStore`.
  public var operation: DecantOperation<DoctorReport> {
    DecantOperation("examination", .inspect) { cancellation, tell throws(DecantError) in
      try withoutActuallyEscaping(tell) { tell throws(DecantError) in try perform(cancellation, tell) }
    }
  }

  private func perform(_ cancellation: Cancellation, _ tell: @escaping (WorkEvent) -> Void)
    throws(DecantError) -> DoctorReport
  {
    tell(.began(.read))
    var options = CopyOptions()
    options.model = model
    options.readsPartly = true
    let source = try opener.openSource(store, options: options)
    let searchesLinks = source.identity.terms == .rows && source.unknownCollations.isEmpty
    if searchesLinks { tell(.part(1, of: 2)) }
    let inspection = try Inspector(source, .thorough, cancellation).inspection(tell)
    if searchesLinks {
      tell(.part(2, of: 2))
      tell(.began(.resolve))
    }
    let links = searchesLinks ? try LinkSuggestion.found(in: source, cancellation, tell) : []
    let advice = Advice(inspection, model: model, externalFolder: source.externalStorage?.folder)
    return DoctorReport(
      store: inspection.identity,
      objectCount: inspection.objectCount,
      linkCount: inspection.knowsLinks ? inspection.linkCount : nil,
      externalFileCount: inspection.externalFiles.reduce(0) { $0 + $1.referenceCount },
      searchedLinks: searchesLinks,
      findings: (inspection.problems + inspection.leftOver + links.compactMap(\.problem)).map(advice.finding),
      notes: inspection.notes
    )
  }
}

extension Inspection {
  /// The remains of syncing, as problems.
  fileprivate var leftOver: [StoreProblem] {
    facts.syncMetadata.map { layer in
      let named = layer.tables.compactMap { table in table.noun.map(table.rowCount.counted) }
      let others = layer.tables.filter { $0.noun == nil }
      let rows = others.reduce(0) { $0 + $1.rowCount }.counted("row")
      let keys = Int64(layer.metadataKeys.count)
      let parts =
        named + (others.isEmpty ? [] : ["\(rows) in \(Int64(others.count).counted("table"))"])
        + (keys == 0 ? [] : [keys.counted("metadata key")])
      return StoreProblem(
        .syncMetadata,
        subject: layer.kind,
        count: layer.tables.reduce(keys) { $0 + $1.rowCount },
        text: "sync metadata, \(layer.kind): \(parts.joined(separator: ", "))"
      )
    }
  }
}

extension LinkEvidence {
  /// The undeclared link as a problem; `nil` if only the values support it, since numbers are often keys by chance, or
  /// if the link cannot be declared.
  fileprivate var problem: StoreProblem? {
    guard weight == .strong, !isList else { return nil }
    let targets = types.isEmpty ? target.root : "several tables"
    return StoreProblem(
      .undeclaredLink,
      subject: "\(column)",
      count: valueCount,
      text: "\(column) looks like a link to \(targets): \(text)"
    )
  }
}
