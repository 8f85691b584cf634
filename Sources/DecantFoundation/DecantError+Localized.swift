public import Decant
public import Foundation

/// The texts of an error for apps: sentences, without command-line options.
extension DecantError: LocalizedError {
  /// What went wrong.
  public var errorDescription: String? { message.asSentence }

  /// Where and during what it happened, and the underlying error; `nil` if nothing more is known.
  public var failureReason: String? {
    var parts: [String] = []
    if let place { parts.append(place.asSentence) }
    if let below = cause as? DecantError, !message.contains(below.message) {
      parts.append(below.message.asSentence)
    }
    if !contexts.isEmpty { parts.append("During: \(contexts.joined(separator: ", ")).") }
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }

  /// What can be done: the advice, then the remedies that it does not name; `nil` if there is nothing to suggest.
  public var recoverySuggestion: String? {
    let said = advice?.saidOptions ?? []
    let others = remedies.filter { remedy in
      // The advice already asks whether another name was meant.
      if case .correctName = remedy, advice != nil { return false }
      if case .runAgain = remedy, advice?.saysAgain == true { return false }
      return !said.contains(remedy)
    }
    let sentences = [remedy?.asSentence].compactMap(\.self) + others.map(\.suggestion)
    return sentences.isEmpty ? nil : sentences.joined(separator: " ")
  }
}

extension DecantError.Remedy {
  /// The remedy as a sentence that a person can follow.
  public var suggestion: String {
    switch self {
    case .runAgain: "Try again."
    case .resume: "Resume where the operation stopped."
    case .startOver: "Start over and discard what the interrupted operation did."
    case .closeOtherProgram(let holders):
      holders.isEmpty
        ? "Close the programs that use the file, or wait until they finish."
        : "Close \(holders.map(\.words).formatted()), or wait until they finish."
    case .freeSpace(let byteCount):
      "Free disk space"
        + (byteCount.map { ": \($0.formatted(.byteCount(style: .file))) more" } ?? "") + "."
    case .grantAccess: "Allow the file and its folder to be read and written."
    case .chooseAnotherPlace: "Choose another place."
    case .makeFolder(let folder): "Create the folder\(folder.quoted)."
    case .moveAway(let file): file == nil ? "Move the file away." : "Move\(file.quoted) away."
    case .restoreBackup(let backup): "Restore a backup\(backup.map { ": “\($0)”" } ?? "")."
    case .nameModel: "Specify the model the store was created with."
    case .giveMapping: "Specify in a mapping where the data goes."
    case .correctName(let nearest):
      nearest.map { "Correct the name: did you mean “\($0)”?" } ?? "Correct the name."
    case .setOption(let name, let value):
      "Set the option “\(name)”\(value.map { " to “\($0)”" } ?? "")."
    case .report: "Report it."
    @unknown default: "Follow the message."
    }
  }
}

extension DecantError.Holder {
  fileprivate var words: String { name.map { "“\($0)”" } ?? "process \(process)" }
}

extension String? {
  /// The name in quotation marks, after a space.
  fileprivate var quoted: String { map { " “\($0)”" } ?? "" }
}

extension String {
  /// The text with a capital letter and a full stop.
  var asSentence: String {
    let isEnded = last.map { ".!?".contains($0) } ?? true
    return prefix(1).uppercased() + dropFirst() + (isEnded ? "" : ".")
  }
}
