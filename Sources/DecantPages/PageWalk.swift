internal import DecantRecipeFormats
internal import DecantBase
internal import DecantStore

/// Visits the objects in reading order, and writes each of them.
final class PageWalk {
  let store: PageStore
  let writer: any PageWriter
  /// Whether the page shows everything that the store holds.
  let isEverything: Bool
  /// The number of pictures, and of other bytes, which are only named.
  var pictureCount = 0
  var lostCount = 0
  private(set) var objectCount: Int64 = 0

  /// The maximum depth of nested parts; anything deeper is shown separately, if at all.
  static let depthLimit = 8
  /// The maximum number of objects for a table of contents.
  private static let contentsLimit: Int64 = 2_000

  /// Writes the objects of `store` to `writer`.
  init(_ store: PageStore, to writer: any PageWriter, isEverything: Bool) {
    self.store = store
    self.writer = writer
    self.isEverything = isEverything
  }

  /// Writes the page for `count` subjects, which have already been determined.
  func write(title: String?, count: Int64) throws(DecantError) {
    if count == 1, let root = try store.root(after: 0), let object = try store.object(root.object) {
      let name = store.title(of: object)
      try writer.begin(title: title ?? name, heading: nil, count: nil)
      try write(object, level: 1, depth: 0)
    } else {
      let kind = try commonKind()
      let heading = title ?? kind?.plural ?? "Objects"
      let words =
        kind.map { ($0.label.lowercased(), $0.plural.lowercased()) } ?? ("object", "objects")
      let many = count > 0 ? PageNumber.count(count, words.0, words.1) : nil
      try writer.begin(title: heading, heading: heading, count: many)
      try writeRoots(count, inChapters: store.hasChapters)
    }
    if isEverything { try writeRest() }
    if objectCount == 0 { try writer.aside("There are no objects to show.") }
    try writer.end()
  }

  /// Returns the name of the subjects, if all are of one entity.
  private func commonKind() throws(DecantError) -> PageName? {
    let places = try store.rootRelations()
    guard places.count == 1, let place = places.first else { return nil }
    return PageName(store.relation(place).root)
  }

  private func writeRoots(_ count: Int64, inChapters: Bool) throws(DecantError) {
    if count > 1, count <= PageWalk.contentsLimit {
      try writer.beginContents()
      try forEachRoot(inChapters: inChapters) { chapter, number throws(DecantError) in
        try writer.contents(chapter, number)
      } _: { reference throws(DecantError) in
        guard let title = try store.title(of: reference) else { return }
        try writer.contents(title, reference)
      }
      try writer.endContents()
    }
    var isInChapter = false
    try forEachRoot(inChapters: inChapters) { chapter, number throws(DecantError) in
      if isInChapter { try writer.endChapter() }
      try writer.beginChapter(chapter, number)
      isInChapter = true
    } _: { reference throws(DecantError) in
      guard let object = try store.object(reference) else { return }
      try write(object, level: inChapters ? 3 : 2, depth: 0)
    }
    if isInChapter { try writer.endChapter() }
  }

  /// Calls `body` with each subject of the page, and `begin` with the name and the number of each chapter before its
  /// first one.
  private func forEachRoot(
    inChapters: Bool,
    begin: (_ chapter: String, _ number: Int) throws(DecantError) -> Void,
    _ body: (PageReference) throws(DecantError) -> Void
  ) throws(DecantError) {
    var place: Int64 = 0
    var number = 0
    var last: String?
    while let root = try store.root(after: place) {
      place = root.place
      let chapter = root.chapter ?? "Without category"
      if inChapters, chapter != last {
        number += 1
        try begin(chapter, number)
      }
      last = chapter
      try body(root.object)
    }
  }

  /// Writes the objects that are not parts of the previous ones, kind by kind.
  private func writeRest() throws(DecantError) {
    var isGoingOn = true
    // Objects that are nested too deeply in one round are written in the next.
    while isGoingOn {
      isGoingOn = false
      for place in store.model.order where try store.hasUnshown(place) {
        let isKeyed = store.relation(place).keyColumn != nil
        // Rows without a key cannot be marked, so they are written only once.
        guard isKeyed || writtenUnkeyed.insert(place).inserted else { continue }
        if try writeSection(place) { isGoingOn = true }
      }
    }
  }

  private var writtenUnkeyed: Set<Int> = []

  /// Writes the objects of a relation that have not been shown; returns `false` if there are none that may be shown.
  private func writeSection(_ place: Int) throws(DecantError) -> Bool {
    let shapes = store.model.shapes(in: place)
    let isList = shapes.allSatisfy(\.isLine)
    let isGallery = shapes.allSatisfy(\.isPicture)
    var hasBegun = false
    try forEachUnshown(place) { object throws(DecantError) in
      if !hasBegun {
        try writer.beginSection(PageName(store.relation(place).root).plural)
        if isList { try writer.beginList(isNumbered: false) }
        if isGallery { try writer.beginPart(.gallery, nil, level: 3) }
        hasBegun = true
      }
      if isList {
        try writeItem(object, level: 3, depth: 0, within: nil, isAlone: true)
      } else if isGallery {
        if try mark(object) { try writePictures(of: object, isAlone: true) }
      } else {
        try write(object, level: 3, depth: 0)
      }
    }
    guard hasBegun else { return false }
    if isList { try writer.endList(isNumbered: false) }
    if isGallery { try writer.endPart(.gallery) }
    try writer.endSection()
    return true
  }

  private func forEachUnshown(_ place: Int, _ body: (PageObject) throws(DecantError) -> Void) throws(DecantError) {
    guard store.relation(place).keyColumn != nil else {
      return try store.forEachUnkeyed(place, body)
    }
    var keys = try store.all(of: place)
    while let reference = try keys.next() {
      guard try !store.isShown(reference), try store.visibility(of: reference) == .shown,
        let object = try store.object(reference)
      else { continue }
      try body(object)
    }
  }

  /// Marks the object as shown; returns `false` if it already was.
  func mark(_ object: PageObject) throws(DecantError) -> Bool {
    guard let reference = object.reference else {
      objectCount += 1
      return true
    }
    guard try store.markShown(reference) else { return false }
    objectCount += 1
    return true
  }

  /// Whether the object at `reference` has a place on the page to which a link can lead.
  func hasPlace(_ reference: PageReference) throws(DecantError) -> Bool {
    guard try store.visibility(of: reference) == .shown else { return false }
    if isEverything { return true }
    if try store.isRoot(reference) { return true }
    return try store.isShown(reference)
  }
}
