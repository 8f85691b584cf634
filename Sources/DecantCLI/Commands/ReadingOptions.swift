internal import ArgumentParser

/// The options of verbs that read one store.
struct ReadingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The model to read a store with that does not hold its own: .xcdatamodeld, .momd, .mom, or another store.",
      valueName: "model"
    )
  )
  var model: String?
}
