import DecantContainers

extension StoreContent {
  /// The stores that the generator writes.
  static func samples() throws(ContainerError) -> [StoreContent] {
    [try kitchen(), try guests(), try syncMetadata()]
  }

  /// A household's recipes; a few were deleted, so keys are missing between and after the others.
  private static func kitchen() throws(ContainerError) -> StoreContent {
    var graph = try ObjectGraph(Menu.kitchen)
    graph.skipKeys(2, of: "Recipe")
    graph.skipKeys(3, of: "Ingredient")
    return StoreContent(file: "Kitchen.sqlite", graph: graph)
  }

  /// What friends brought: to be merged into the first store, whose keys it uses too.
  private static func guests() throws(ContainerError) -> StoreContent {
    StoreContent(file: "Guests.sqlite", graph: try ObjectGraph(Menu.guests))
  }

  /// A small store after years of syncing: history, mirroring and metadata that a copy may leave.
  private static func syncMetadata() throws(ContainerError) -> StoreContent {
    var graph = try ObjectGraph(Menu.syncMetadata)
    graph.skipKeys(1, of: "Recipe")
    return StoreContent(
      file: "SyncMetadata.sqlite",
      graph: graph,
      metadata: SyncMetadata.metadata,
      syncMetadata: SyncMetadata.history(of: graph) + SyncMetadata.mirror(of: graph)
    )
  }
}
