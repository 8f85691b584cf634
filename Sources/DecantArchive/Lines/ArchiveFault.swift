internal import DecantBase
internal import DecantJSON

/// What is wrong with a line of an archive; who knows the line's number makes an error of it.
struct ArchiveFault: Error, Sendable, Hashable {
  /// What is wrong, without the line and without values of the user's.
  var message: String
  /// How to mend it, where it is not the archive's writer that has to.
  var remedy: DecantError.Text?

  /// Runs `body`; a fault in it becomes an error that names the archive at `place`, and its line where it is
  /// known then.
  static func telling<Result>(
    _ place: String,
    line: () -> Int64? = { nil },
    _ body: () throws -> Result
  ) throws(DecantError) -> Result {
    do {
      return try body()
    } catch let fault as ArchiveFault {
      throw fault.error(place, line: line())
    } catch let fault as JSONFault {
      throw ArchiveFault(fault).error(place, line: line())
    } catch let error as SystemError {
      throw DecantError(error)
    } catch let error as DecantError {
      throw error
    } catch {
      throw DecantError(.systemFailed, "cannot read the archive “\(place)”: \(error)")
    }
  }

  init(_ message: String, remedy: DecantError.Text? = nil) {
    self.message = message
    self.remedy = remedy
  }

  /// What is wrong with the JSON of a line.
  init(_ fault: JSONFault) {
    message = fault.message + (fault.place.map { ", at byte \($0)" } ?? "")
    switch fault.kind {
    case .depth: remedy = "if you trust the file, allow more: \(say: .maxDepth)"
    case .count: remedy = "if you trust the file, allow more: \(say: .maxLine)"
    case .syntax, .memory: break
    }
  }
}

extension ArchiveFault {
  /// The error of a fault in the line with a number of the file at `place`.
  func error(_ place: String, line: Int64?) -> DecantError {
    DecantError(
      .damaged,
      "cannot read the archive “\(place)”: \(message)",
      place: line.map { "line \($0)" },
      remedy: remedy
        ?? "it is damaged or was edited by hand: get it again from its source"
    )
  }
}
