internal import ArgumentParser
internal import DecantBase
internal import DecantPlan

/// The options that select a share of a mapping file.
struct ShareOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Export the part of the store that the mapping file defines under this name.", valueName: "name")
  )
  var share: String?

  @Option(
    help: ArgumentHelp(
      "The value of :NAME in the conditions of --share.",
      discussion: .detail("May be repeated. A number in single quotes is text."),
      valueName: "NAME=VALUE"
    ),
    transform: CopyOptions.Parameter.init(argument:)
  )
  var param: [CopyOptions.Parameter] = []

  func validate() throws {
    if share == nil, !param.isEmpty {
      throw ValidationError("--param sets a value in the conditions of a share: add --share NAME")
    }
  }

  /// Adds the selected share to the options of a copy, which already have the mapping.
  func enter(into options: inout CopyOptions) throws {
    guard let share else { return }
    try reporting { () throws(DecantError) in try options.choose(share: share, param) }
  }
}

extension CopyOptions.Parameter {
  /// Parses `name=value`.
  init(argument: String) throws {
    guard let sign = argument.firstIndex(of: "="), sign > argument.startIndex else {
      throw ValidationError("write the parameter as 'name=value', like 'least=4'")
    }
    self.init(String(argument[..<sign]), String(argument[argument.index(after: sign)...]))
  }
}
