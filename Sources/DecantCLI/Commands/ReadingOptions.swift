internal import ArgumentParser

/// The options of verbs that read one store.
struct ReadingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The model of a store that does not contain its own: .xcdatamodeld, .momd, .mom, or another store.",
      valueName: "model"
    ),
    completion: .file()
  )
  var model: String?
}
