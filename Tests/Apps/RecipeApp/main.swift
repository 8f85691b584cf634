import Decant

// What apps do with a store of recipes, each thing in a file of its own: RecipeApp WHAT ARGUMENTS.
let arguments = Array(CommandLine.arguments.dropFirst(2))
do {
  switch CommandLine.arguments.dropFirst().first {
  case "launch": try await launch(arguments)
  case "list": try await list(arguments)
  case "edit": try await edit(arguments)
  case "share": try await share(arguments)
  case "nightly": try await mergeNightly(arguments)
  default: print("RecipeApp launch|list|edit|share|nightly ARGUMENTS")
  }
} catch let error as DecantError {
  print(error.message, error.remedy ?? "", separator: "\n")
}
