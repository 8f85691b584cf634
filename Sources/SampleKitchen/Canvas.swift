/// A colour of a picture.
struct Color: Hashable {
  let red, green, blue: UInt8

  /// Makes the colour that is written `0xRRGGBB`.
  init(_ number: Int) {
    red = UInt8(truncatingIfNeeded: number >> 16)
    green = UInt8(truncatingIfNeeded: number >> 8)
    blue = UInt8(truncatingIfNeeded: number)
  }

  /// The three bytes, as a picture file has them.
  var bytes: [UInt8] { [red, green, blue] }
}

/// A point of a drawing; x grows to the right, y downwards.
struct Point {
  let x, y: Double

  init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }
}

/// A surface to draw on with filled shapes, in a square of 100 by 100 units.
///
/// Only sums, products and quotients are used, which every machine rounds alike: the same drawing
/// gives the same bytes everywhere.
struct Canvas {
  /// The pixels on each side.
  let size: Int
  private(set) var pixels: [Color]

  init(size: Int, background: Color) {
    self.size = size
    pixels = Array(repeating: background, count: size * size)
  }

  /// Paints every pixel whose middle is in `shape`.
  mutating func paint(_ color: Color, where shape: (Point) -> Bool) {
    let scale = 100 / Double(size)
    for row in 0..<size {
      for column in 0..<size {
        let point = Point((Double(column) + 0.5) * scale, (Double(row) + 0.5) * scale)
        if shape(point) { pixels[row * size + column] = color }
      }
    }
  }

  /// Paints an ellipse, of which `within` may keep only a part.
  mutating func ellipse(
    _ color: Color,
    at center: Point,
    _ width: Double,
    _ height: Double,
    within part: (Point) -> Bool = { _ in true }
  ) {
    paint(color) { point in
      let (x, y) = ((point.x - center.x) * 2 / width, (point.y - center.y) * 2 / height)
      return x * x + y * y <= 1 && part(point)
    }
  }

  /// Paints a polygon with any number of corners.
  mutating func polygon(_ color: Color, _ corners: [Point]) {
    let edges = zip(corners, corners.dropFirst() + corners.prefix(1))
    paint(color) { point in
      // A ray to the right crosses the outline an odd number of times from inside.
      var isInside = false
      for (a, b) in edges where (a.y > point.y) != (b.y > point.y) {
        let crossing = a.x + (point.y - a.y) * (b.x - a.x) / (b.y - a.y)
        if point.x < crossing { isInside.toggle() }
      }
      return isInside
    }
  }

  /// Paints a straight line of a given width with round ends.
  mutating func line(_ color: Color, from start: Point, to end: Point, width: Double) {
    let (dx, dy) = (end.x - start.x, end.y - start.y)
    let length = dx * dx + dy * dy
    paint(color) { point in
      let along = ((point.x - start.x) * dx + (point.y - start.y) * dy) / length
      let t = min(max(along, 0), 1)
      let (x, y) = (point.x - start.x - t * dx, point.y - start.y - t * dy)
      return x * x + y * y <= width * width / 4
    }
  }
}
