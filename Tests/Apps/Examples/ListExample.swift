import Decant

/// What a list shows first, and what it shows when somebody drags the scroll bar to its middle.
func list(_ store: Store) throws -> [Recipe] {
  let recipes = store.objects(Recipe.self).order { [$0.title.ascendingIgnoringCase] }
  let pages = recipes.pages(of: 50)
  var page = try pages.first()
  if let next = try pages.next(after: page) { page = next }
  let index = try pages.index()
  let middle = try pages.page(index.pageCount / 2, of: index)
  for section in try recipes.sections(by: { $0.category.name }) { print(section.value, section.count) }
  return middle?.objects ?? page.objects
}
