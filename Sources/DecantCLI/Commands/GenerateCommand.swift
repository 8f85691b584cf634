internal import ArgumentParser
internal import Decant
internal import DecantBase
internal import DecantStore
internal import DecantTransfer

/// `decant generate`: generates source code for an app from a model.
struct GenerateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Writes the types of a model as source text for an app.",
    discussion: """
      Swift: a structure for each entity, with typed fields for conditions. The same
      model gives the same text.

        decant generate swift App.momd --out Sources/App/Model.swift
      """
  )

  /// The supported languages.
  enum Language: String, ExpressibleByArgument, CaseIterable {
    case swift
  }

  @Argument(help: "The language: swift.")
  var language: Language

  @Argument(
    help: "A store, or a model: .momd, .mom, .xcdatamodeld or .xcdatamodel, with #VERSION for one of its versions.",
    completion: .file()
  )
  var model: String

  @Option(help: "A new file for the text, instead of standard output.", completion: .file())
  var out: String?

  @Flag(help: "Make the types public, for a module of their own.")
  var `public` = false

  func run() throws {
    Interrupt.ignoreFailedWrites()
    let text = try reporting { () throws(DecantError) in
      if let out { try OutputFile.checkIsNew(out) }
      var types = SwiftTypes(try StoreKinds.known.model(at: model))
      types.isPublic = `public`
      return types.text(from: Files.name(of: model))
    }
    guard let out else { return try StandardOutput.write(text) }
    try reporting { () throws(DecantError) in try PartialFile.publish(text, at: out) }
  }
}
