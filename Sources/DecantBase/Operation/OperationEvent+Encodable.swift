internal import DecantJSON

extension OperationEvent: Encodable {
  /// Encodes the event as a JSON object, with the texts of the command line.
  public func encode(to encoder: any Encoder) throws { try DocumentMembers(members).encode(to: encoder) }

  private var members: [(String, any Encodable)] {
    switch self {
    case .working(let event, let fraction):
      event.members + [("fraction", (fraction * 10_000).rounded() / 10_000)]
    case .finished(let report):
      [("event", "finished")] + ((report as? any CountedReport)?.counts ?? []) + [("fraction", 1)]
    }
  }
}

/// A report whose counts are part of the last event.
package protocol CountedReport {
  /// The members of the last event.
  var counts: [(String, any Encodable)] { get }
}

extension CopyReport: CountedReport {
  package var counts: [(String, any Encodable)] {
    [("copied", copiedCount), ("rejected", rejectedCount), ("verified", isVerified)]
  }
}

extension WorkEvent {
  fileprivate var members: [(String, any Encodable)] {
    switch self {
    case .stages(let stages):
      [("event", "migration"), ("plan", stages)]
    case .stage(let stage, let number):
      [("event", "stage"), ("number", number), ("stage", stage)]
    case .part(let number, let count):
      [("event", "part"), ("number", number), ("of", count)]
    case .planned(let work):
      [
        ("event", "planned"), ("rows", work.rowCount),
        ("sourceBytes", work.sourceByteCount),
        ("proofRows", work.proofRowCount),
      ]
    case .began(let phase):
      [("event", "phase"), ("phase", phase.rawValue)]
    case .progress(let progress):
      [
        ("event", "progress"), ("phase", progress.phase.rawValue),
        ("step", progress.step), ("rows", progress.rowCount),
        ("expectedRows", progress.expectedRowCount),
        ("bytes", progress.byteCount),
        ("expectedBytes", progress.expectedByteCount),
        ("done", progress.fraction),
      ]
    case .note(let note): [("event", "note"), ("kind", note.kind.rawValue), ("text", note.commandLine)]
    case .conflict(let question):
      [("event", "conflict"), ("conflict", JSONValue.raw(question.conflict.line))]
    case .made(let report):
      [("event", "made"), ("place", report.destination.place)]
        + report.counts
    }
  }
}

/// The event of a failed operation, in the same form.
package struct FailureEvent: Encodable {
  private let error: DecantError

  package init(_ error: DecantError) { self.error = error }

  package func encode(to encoder: any Encoder) throws {
    try DocumentMembers([("event", "error"), ("error", DocumentMembers(error.members(\.commandLine)))])
      .encode(to: encoder)
  }
}
