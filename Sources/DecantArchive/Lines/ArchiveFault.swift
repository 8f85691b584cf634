internal import DecantBase
internal import DecantJSON

/// An error in a line of an archive; the caller adds the line number.
struct ArchiveFault: Error, Sendable, Hashable {
  /// The error, without the line and without values of the user.
  var message: String
  /// The remedy, if the user can repair the line.
  var remedy: DecantError.Text?

  /// Runs `body`; converts a fault to an error with the archive at `place`, and its line if it is known.
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

  /// Converts an error in the JSON of a line.
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
  /// Returns the error for a fault in a line of the file at `place`.
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
