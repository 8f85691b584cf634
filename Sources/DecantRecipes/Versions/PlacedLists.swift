/// The places that the lines of a base and of its successor get in the list of a store, so that the merge of both, which
/// compares the lines in one place, goes by lines.
///
/// Lines keep the places that they have in the store, even if these were renumbered. A line of the base gets the place of the line
/// that continues it in the store, a line of the successor that of the line of the base that it continues. All other
/// lines get free places behind the line that precedes them in their own list.
struct PlacedLists {
  /// The places of the lines of the base, and of its successor.
  private(set) var base: [Int64] = []
  private(set) var new: [Int64] = []
  /// The lines, by their numbers in the store's list, that both the store and the successor have added.
  private(set) var addedByBoth: [Int] = []

  /// The distance between two neighbouring places in a new list.
  private static let distance: Int64 = 1024
  /// The bound of the places that can have neighbours.
  private static let bound: Int64 = 1 << 60

  /// A line of the merged list, and its place if it is known.
  private struct Slot {
    let number: Int
    var place: Int64?
  }

  private var slots: [Slot] = []

  /// Assigns places.
  init(base old: VersionList, store: VersionList, new: VersionList) {
    let longest = max(store.lines.count, new.lines.count)
    guard old.lines.count * longest <= ListAlignment.limit else {
      keepPlaces(old, new)
      return
    }
    // Of several lines in one place, the merge sees only one.
    var seen: Set<Int64> = []
    let own = store.lines.indices.filter { index in
      store.places[index].map { abs($0) < Self.bound && seen.insert($0).inserted } ?? false
    }
    slots = own.map { Slot(number: $0, place: store.places[$0]) }
    var count = store.lines.count
    var slotOfBase = [Int?](repeating: nil, count: old.lines.count)
    var added: [Int] = []
    for (index, partner) in zip(own, ListAlignment(of: own.map { store.lines[$0] }, after: old.lines).partners) {
      if let partner { slotOfBase[partner] = index } else { added.append(index) }
    }
    let mine = slotOfBase
    for index in old.lines.indices where mine[index] == nil {
      slotOfBase[index] = add(behind: index > 0 ? slotOfBase[index - 1] : nil, &count)
    }
    let theirs = ListAlignment(of: new.lines, after: old.lines)
    var slotOfNew: [Int] = []
    for (index, partner) in theirs.partners.enumerated() {
      if let partner, let slot = slotOfBase[partner] {
        // A line that the file has moved moves here, too, unless it was edited or deleted here.
        let isMoved = theirs.moved.contains(index) && mine[partner].map { store.rows[$0] == old.rows[partner] } == true
        slotOfNew.append(isMoved ? add(behind: slotOfNew.last, &count) : slot)
      } else if let place = added.firstIndex(where: { store.lines[$0].isSame(as: new.lines[index]) }) {
        let same = added.remove(at: place)
        addedByBoth.append(same)
        slotOfNew.append(same)
      } else {
        slotOfNew.append(add(behind: slotOfNew.last, &count))
      }
    }
    fillPlaces()
    let places = Dictionary(slots.map { ($0.number, $0.place ?? 0) }) { first, _ in first }
    base = slotOfBase.map { $0.flatMap { places[$0] } ?? 0 }
    self.new = slotOfNew.map { places[$0] ?? 0 }
  }

  /// Leaves very long lists where they were: a line continues the one with the same number.
  private mutating func keepPlaces(_ old: VersionList, _ new: VersionList) {
    let known = old.places.compactMap(\.self)
    let isRising = zip(known, known.dropFirst()).allSatisfy { $0 < $1 } && known.count == old.lines.count
    base = isRising ? known : old.lines.indices.map { Int64($0 + 1) * Self.distance }
    let last = base.last ?? 0
    self.new = new.lines.indices.map { index in
      index < base.count ? base[index] : last + Int64(index - base.count + 1) * Self.distance
    }
  }

  /// Adds a line behind the slot with the number `previous`, or before all others; returns its number.
  private mutating func add(behind previous: Int?, _ count: inout Int) -> Int {
    let place = previous.flatMap { previous in slots.firstIndex { $0.number == previous } }.map { $0 + 1 } ?? 0
    slots.insert(Slot(number: count), at: place)
    count += 1
    return count - 1
  }

  /// Gives the remaining slots places between their neighbours, or behind all others if there is no room.
  private mutating func fillPlaces() {
    var last = max(0, slots.compactMap(\.place).max() ?? 0)
    var start = 0
    while let first = slots[start...].firstIndex(where: { $0.place == nil }) {
      let end = slots[first...].firstIndex { $0.place != nil } ?? slots.count
      let count = Int64(end - first)
      if let high = end < slots.count ? slots[end].place : nil {
        let before = first > 0 ? slots[first - 1].place : nil
        let low = before ?? (high > count ? 0 : high - (count + 1) * Self.distance)
        for index in first..<end where high - low > count {
          slots[index].place = low + (high - low) / (count + 1) * Int64(index - first + 1)
        }
      }
      for index in first..<end where slots[index].place == nil {
        last += Self.distance
        slots[index].place = last
      }
      start = end
    }
  }
}
