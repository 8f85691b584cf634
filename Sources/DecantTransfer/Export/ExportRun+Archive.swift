internal import DecantArchive
internal import DecantPages
internal import DecantContainers
internal import DecantBase
internal import DecantCopy
internal import DecantPlan
internal import DecantStore
internal import DecantJSON
internal import DecantSQLite

/// Writes the archive, and reads it back.
extension ExportRun {
  /// Throws if a column has an empty name, by which the lines of an archive could not name its values.
  private func checkNames(of source: any SourceStore) throws(DecantError) {
    for entity in source.model.entities where entity.attributes.contains(where: \.name.isEmpty) {
      throw DecantError(
        .unsupportedContent,
        "\(entity.name) has a column without a name, which an archive cannot hold",
        place: source.identity.place,
        remedy: "rename it in a copy of the database"
      )
    }
  }

  func write(
    _ source: any SourceStore,
    _ location: StoreLocation,
    _ chosen: CopyReport?
  ) throws(DecantError) -> CopyReport {
    try checkNames(of: source)
    let connection = try HeldStore.open(source)
    // A store that the copy has just checked is not checked again.
    if options.verifies, chosen == nil {
      try StructureCheck(of: ArchiveWriter.schema, on: connection)
        .run(.quick, place: source.identity.place)
    }
    let held = try HeldStore.hold(source, on: connection)
    defer { withExtendedLifetime(held.snapshot) {} }
    var header = try ArchiveHeader(of: source, fingerprint: held.fingerprint.description, on: connection)
    try header.count(source, in: ArchiveWriter.schema, on: connection)
    let template = "\(folder.path)/template.sqlite"
    try makeTemplate(source, location, held.fingerprint, at: template)
    header.source.template = try BlobLines.name(ofFile: template)
    if let first = original.map({ ($0.identity, $0.fingerprint) })
      ?? chosen.map({ ($0.source, $0.sourceFingerprint) })
    {
      header.source.uuid = first.0.uuid
      header.source.fingerprint = first.1
      let keepsEntities = options.mapping?.keepsEntities ?? true
      header.source.isMapped = !keepsEntities || options.mapping != nil && options.template != nil
    }
    let total = header.counts.reduce(0) { $0 + $1.1 }
    onEvent(
      .planned(
        ExpectedWork(
          rowCount: total,
          sourceByteCount: source.path.flatMap { FileStatus($0)?.byteCount } ?? 0,
          proofRowCount: options.verifies ? total : 0
        )
      )
    )
    let page = try place.isLines ? nil : PageFile(place, in: folder)
    let lines = page?.lines ?? place
    let files = try ArchiveFiles(lines, lines.compression, level: export.level, partLimit: export.partByteCount)
    do throws(DecantError) {
      var report = try fill(files, source, connection, header, template, total, chosen)
      if let page { report.notes += try write(page, source, location, files) }
      if options.verifies, place.path != ArchivePlace.pipe {
        try check(page.map { [$0.path] } ?? files.paths, total)
        report.isVerified = true
      }
      if options.hasByteLimit {
        var byteCount: Int64 = 0
        for path in page.map({ [$0.path] }) ?? files.paths {
          byteCount += FileStatus(path)?.byteCount ?? 0
        }
        try options.check(byteCount: byteCount)
      }
      begin(.publish)
      if let page { try page.publish() } else { try files.publish() }
      if let chosen { report.enter(chosen) }
      return report
    } catch {
      files.abandon()
      page?.abandon()
      throw error
    }
  }

  /// Writes the page or the mail around the archive in `files`; returns the notes for the report.
  private func write(
    _ page: PageFile,
    _ source: any SourceStore,
    _ location: StoreLocation,
    _ files: ArchiveFiles
  ) throws(DecantError) -> [ReportNote] {
    var scope = SharedScope()
    for root in options.roots {
      // The conditions apply to the store; in the selected part, links are cut, so other objects might meet them.
      let there = Set(
        try ChosenRoots.keys(
          CopyOptions.Filter(entity: root.entity, expression: "1"),
          in: location,
          model: options.model,
          opener: export.kinds
        )
      )
      // With a mapping, the conditions apply to the mapped objects.
      let asked = try ChosenRoots.keys(
        root,
        in: options.mapping == nil ? self.location : location,
        model: options.model,
        opener: export.kinds
      )
      scope.objects += asked.filter { there.contains($0) }.map { SharedObject(root.entity, $0) }
    }
    scope.order = export.page.hasChapters ? .chapters : scope.objects.isEmpty ? .given : .titles
    return try page.write(source, scope, title: export.page.title, archive: files.paths)
  }

  /// Makes the store without its objects; its state must be the one that is written.
  private func makeTemplate(
    _ source: any SourceStore,
    _ location: StoreLocation,
    _ fingerprint: Fingerprint,
    at path: String
  ) throws(DecantError) {
    let state = try ArchiveTemplate.make(after: source, location, at: path, options: options, opener: export.kinds)
    guard state == fingerprint.description else { throw moved() }
  }

  /// Records that the store changed during the export.
  private func moved() -> DecantError {
    hasMoved = true
    return DecantError(
      .storeChanged,
      "“\(location.place)” was changed while it was read",
      remedy: .again
    )
  }

  private func fill(
    _ files: ArchiveFiles,
    _ source: any SourceStore,
    _ connection: Connection,
    _ header: ArchiveHeader,
    _ template: String,
    _ total: Int64,
    _ chosen: CopyReport?
  ) throws(DecantError) -> CopyReport {
    begin(.copy)
    let output = ArchiveOutput(
      bufferSize: Int(min(export.partByteCount.map { $0 / 8 } ?? 1 << 20, 1 << 20))
    ) { lines throws(DecantError) in try files.write(lines) }
    files.header = { part in
      var next = header
      next.part = Int64(part)
      return Array((next.json.text + "\n").utf8)
    }
    let writer = try ArchiveWriter(source, on: connection, to: output, cancellation: cancellation) {
      [onEvent] entity, objects, bytes in
      onEvent(
        .progress(
          WorkProgress(phase: .copy, step: entity, rowCount: objects, expectedRowCount: total, byteCount: bytes)
        )
      )
    }
    // References would disclose the values that identify their targets, which the mapping may hide.
    if let chosen, !chosen.referenceRelationships.isEmpty, !options.hidesValues {
      writer.references = try ReferenceLinks(
        export.kinds.openSource(location, options: original == nil ? options : options.readingCopy),
        chosen.referenceRelationships,
        on: connection
      )
      guard try state(of: ReferenceLinks.schema, on: connection) == chosen.sourceFingerprint else {
        throw moved()
      }
    }
    try writer.write(header, template: template) { (files.lastPart(), files.repeatedByteCount) }
    if writer.references != nil, let chosen,
      try state(of: ReferenceLinks.schema, on: connection) != chosen.sourceFingerprint
    {
      throw moved()
    }
    try files.end()
    var report = CopyReport(
      verb: "export",
      source: source.identity,
      sourceFingerprint: header.source.fingerprint ?? "",
      destination: StoreIdentity(kind: ArchiveKind.name, place: place.path, uuid: header.id),
      entities: header.counts.map { name, count in
        var entity = EntityReport(name: name, source: count)
        entity.copied = output.sums[name]?.objects ?? 0
        return entity
      }
    )
    report.unknownCount = header.unknownCount
    report.knowsLinks = source.modelGap == nil
    // If a copy selected the objects, it has counted them.
    if chosen == nil {
      let counts = try source.layout.linkCounts(on: connection, comparesValues: source.unknownCollations.isEmpty)
      report.enter(counts, secondEnds: source.model.secondEnds)
    }
    report.files.copied = writer.files.copied
    report.files.missing = writer.files.missing
    if writer.referenceCount > 0 {
      report.notes.append(
        ReportNote(
          .referencesKept,
          "\(writer.referenceCount.counted("link")) to objects that are not in the archive: an import restores a link if "
            + "it finds the object by its identity"))
    }
    if export.partByteCount != nil {
      let names = [1, files.partCount].map { place.name(ofPart: $0) }
      report.notes.append(
        ReportNote(
          .parts,
          files.partCount == 1
            ? "one part: \(names[0])"
            : "\(files.partCount) parts: \(names[0]) to \(names[1])"))
    }
    return report
  }

  /// Returns the fingerprint of the store attached as `schema`.
  private func state(of schema: String, on connection: Connection) throws(DecantError) -> String {
    try explaining("cannot read “\(location.place)”") { () throws(SQLiteError) in
      try Fingerprint(of: schema, on: connection).description
    }
  }

  /// Reads the written files back from disk, as an import would.
  private func check(_ paths: [String], _ total: Int64) throws(DecantError) {
    begin(.check)
    // What looks like a decompression bomb could not be imported without an option.
    var limits = ArchiveLimits.own
    limits.expansion = ArchiveLimits().expansion
    let reader = ArchiveReader(try ArchiveCheck(), limits: limits, cancellation: cancellation)
    reader.onProgress = { [onEvent] entity, objects, bytes in
      onEvent(
        .progress(
          WorkProgress(phase: .check, step: entity, rowCount: objects, expectedRowCount: total, byteCount: bytes)
        )
      )
    }
    for path in paths {
      let stream = try ArchiveStream(path, limits: limits)
      try reader.read(stream.lines, of: path)
      try stream.finish()
    }
    try reader.finish(place.path)
  }
}

extension CopyReport {
  /// Takes over what the copy that selected the objects reported about the rest.
  fileprivate mutating func enter(_ chosen: CopyReport) {
    source = chosen.source
    entities = chosen.entities
    unknownCount = chosen.unknownCount
    links = chosen.links
    linksByRelationship = chosen.linksByRelationship
    files = chosen.files
    rejectsFile = chosen.rejectsFile
    notes = chosen.notes + notes
  }
}
