package import DecantBase
package import DecantPlan
internal import DecantStore

/// A file that defines which columns of a database are links, and which only look like links.
///
/// It is a YAML list: each item is `link: post.author -> users`, with `WHERE` and a condition if only some rows hold
/// the link, or `no-link: post.rating`, with the syntax of the options `--link` and `--no-link`.
package struct LinksFile: Sendable {
  /// The links, each with its place in the file.
  package private(set) var links: [CopyOptions.Link] = []
  /// The columns that look like links but are not.
  package private(set) var noLinks: [Property] = []
  /// The positions of these columns in the file.
  package private(set) var noLinkPlaces: [Property: String] = [:]

  /// Reads a file of links.
  ///
  /// - Parameter path: The file, in UTF-8, of at most 1 MiB; errors begin with this path.
  /// - Throws: `DecantError` of the family `.usage` for a missing file, and for the first mistake in it with line and
  ///   column; `.failed` if the file cannot be read.
  package init(_ path: String) throws(DecantError) {
    var context = Mapping(place: path)
    context.word = "links file"
    let text = MappingText(try MappingFile(of: context).scalars(), of: context)
    guard let root = try text.root(), !root.isNothing else { return }
    guard case .list(let items) = root.content else {
      throw context.mistake(
        "a links file must be a list, not \(root.kind)",
        at: root.mark,
        remedy: "start each line with “- link: ” or “- no-link: ”"
      )
    }
    for item in items { try take(item, context) }
  }

  private mutating func take(_ item: MappingNode, _ context: Mapping) throws(DecantError) {
    guard case .map(let members) = item.content, members.count == 1 else {
      throw context.mistake(
        "an item must have one key, link or no-link",
        at: item.mark,
        remedy: "write “- link: post.author -> users” or “- no-link: post.rating”"
      )
    }
    let reader = MappingReader(mapping: context)
    let (key, text) = (members[0].key, try reader.text(members[0]))
    let place = context.place(of: text.mark)
    do throws(LinkMistake) {
      switch key.text {
      case "link": links.append(try CopyOptions.Link(text: text.text, place: place))
      case "no-link":
        let property = try Property(text: text.text)
        noLinks.append(property)
        noLinkPlaces[property] = place
      default:
        throw LinkMistake(
          message: "“\(key.text)” is not a key of a links file; "
            + key.text.remedy(among: ["link", "no-link"], of: "keys")
        )
      }
    } catch {
      throw context.mistake(error.message, at: key.text.hasSuffix("link") ? text.mark : key.mark)
    }
  }
}

extension CopyOptions {
  /// Adds the definitions of a links file for columns that have no options yet.
  ///
  /// - Parameter file: The file.
  package mutating func enter(_ file: LinksFile) {
    let told = Set(links.filter { $0.condition == nil }.map(\.property) + noLinks)
    // A conditional link replaces the one with the same condition.
    let typed = links.filter { $0.condition != nil }
    links =
      file.links.filter { link in
        !told.contains(link.property)
          && !typed.contains { other in
            other.property == link.property
              && (link.condition == nil || other.condition == link.condition)
          }
      } + links
    noLinks = file.noLinks.filter { !told.contains($0) } + noLinks
    noLinkPlaces.merge(file.noLinkPlaces.filter { !told.contains($0.key) }) { first, _ in first }
  }
}
