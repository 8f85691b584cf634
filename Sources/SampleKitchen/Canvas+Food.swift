extension Canvas {
  /// A bowl seen from above the rim, with steam.
  mutating func drawBowl(_ soup: Color, _ garnish: Color) {
    for x in [36.0, 50, 64] {
      line(Color(0xFFFFFF), from: Point(x, 32), to: Point(x + 4, 24), width: 3)
      line(Color(0xFFFFFF), from: Point(x + 4, 24), to: Point(x, 14), width: 3)
    }
    ellipse(Color(0xB8C7CF), at: Point(50, 90), 62, 8)
    ellipse(Color(0x3E6C8F), at: Point(50, 50), 80, 76) { $0.y > 50 }
    polygon(Color(0x335A78), [Point(36, 84), Point(64, 84), Point(66, 90), Point(34, 90)])
    line(Color(0xF2D16B), from: Point(17, 64), to: Point(83, 64), width: 3)
    ellipse(Color(0x5487AC), at: Point(50, 50), 80, 26)
    ellipse(soup, at: Point(50, 51), 70, 19)
    for (x, y) in [(36.0, 50.0), (52, 47), (64, 53), (47, 55)] {
      ellipse(garnish, at: Point(x, y), 7, 4)
    }
  }

  /// A carrot that points to the lower left.
  mutating func drawCarrot() {
    for end in [Point(72, 8), Point(84, 14), Point(92, 26)] {
      line(Color(0x4E9A3B), from: Point(68, 32), to: end, width: 6)
    }
    line(Color(0x6DBB55), from: Point(68, 32), to: Point(90, 10), width: 4)
    polygon(Color(0xE9802B), [Point(54, 28), Point(73, 46), Point(12, 90)])
    ellipse(Color(0xE9802B), at: Point(63, 37), 27, 27)
    polygon(Color(0xF4A04E), [Point(54, 29), Point(60, 34), Point(13, 89)])
    for (a, b) in [
      (Point(56, 50), Point(63, 53)), (Point(43, 52), Point(49, 57)),
      (Point(37, 66), Point(43, 68)),
    ] {
      line(Color(0xB85E17), from: a, to: b, width: 2.4)
    }
  }

  /// A loaf with three cuts in its crust.
  mutating func drawBread() {
    ellipse(Color(0xD9C3A0), at: Point(50, 82), 86, 10)
    ellipse(Color(0x8A4F1D), at: Point(50, 60), 84, 52) { $0.y < 80 }
    ellipse(Color(0xC07F38), at: Point(50, 56), 80, 46) { $0.y < 76 }
    ellipse(Color(0xDBA35C), at: Point(48, 47), 62, 22)
    for x in [28.0, 46, 64] {
      line(Color(0x8A4F1D), from: Point(x, 60), to: Point(x + 9, 38), width: 5)
      line(Color(0xF4DDB0), from: Point(x + 1, 59), to: Point(x + 9, 40), width: 2.6)
    }
  }

  /// A pan with two fried eggs in sauce.
  mutating func drawPan() {
    line(Color(0x5B4636), from: Point(70, 30), to: Point(94, 8), width: 8)
    ellipse(Color(0x2E2E33), at: Point(44, 54), 80, 80)
    ellipse(Color(0x45454C), at: Point(44, 54), 72, 72)
    ellipse(Color(0xB83A24), at: Point(44, 54), 64, 64)
    for (x, y) in [(34.0, 44.0), (54, 64)] {
      ellipse(Color(0xFFF8EC), at: Point(x, y), 27, 24)
      ellipse(Color(0xF6B92D), at: Point(x + 1, y), 12, 12)
    }
    for (x, y) in [(60.0, 38.0), (30, 70), (46, 30), (24, 58), (66, 52)] {
      ellipse(Color(0x3F8A3A), at: Point(x, y), 6, 5)
    }
  }

  /// A fish on a plate, with a slice of lemon.
  mutating func drawFish() {
    ellipse(Color(0xB9D3D1), at: Point(50, 58), 94, 62)
    ellipse(Color(0xFFFFFF), at: Point(50, 55), 92, 60)
    polygon(Color(0x5C7F93), [Point(70, 54), Point(90, 38), Point(86, 54), Point(90, 70)])
    polygon(Color(0x5C7F93), [Point(38, 42), Point(52, 30), Point(60, 43)])
    ellipse(Color(0x7FA3B5), at: Point(44, 54), 62, 27)
    ellipse(Color(0xC9DDE3), at: Point(44, 59), 54, 15)
    ellipse(Color(0x5C7F93), at: Point(28, 54), 3, 17)
    ellipse(Color(0xFFFFFF), at: Point(21, 51), 6, 6)
    ellipse(Color(0x1E2A30), at: Point(21, 51), 3, 3)
    ellipse(Color(0xE8C22E), at: Point(62, 76), 17, 15)
    ellipse(Color(0xFBEFA6), at: Point(62, 76), 13, 11)
    line(Color(0xE8C22E), from: Point(57, 76), to: Point(67, 76), width: 1.6)
    line(Color(0xE8C22E), from: Point(62, 72), to: Point(62, 80), width: 1.6)
  }

  /// A tomato with its green star.
  mutating func drawTomato() {
    ellipse(Color(0xCBD6B4), at: Point(50, 90), 58, 8)
    ellipse(Color(0xB92B1E), at: Point(50, 58), 76, 66)
    ellipse(Color(0xDB4030), at: Point(47, 55), 66, 56)
    ellipse(Color(0xF2897A), at: Point(32, 44), 12, 17)
    for end in [Point(30, 34), Point(38, 44), Point(52, 46), Point(66, 42), Point(72, 31)] {
      line(Color(0x3C7D34), from: Point(51, 29), to: end, width: 6)
    }
    line(Color(0x2F6329), from: Point(51, 30), to: Point(55, 12), width: 6)
  }

  /// A slice of layer cake with a cherry.
  mutating func drawCake(_ filling: Color) {
    ellipse(Color(0xE2C3C8), at: Point(50, 84), 90, 14)
    polygon(Color(0xD9A864), [Point(10, 46), Point(88, 46), Point(88, 82), Point(10, 82)])
    polygon(filling, [Point(10, 60), Point(88, 60), Point(88, 67), Point(10, 67)])
    polygon(Color(0xFFF6E9), [Point(10, 46), Point(64, 26), Point(88, 46)])
    polygon(Color(0xFFF6E9), [Point(10, 46), Point(88, 46), Point(88, 52), Point(10, 52)])
    for x in [18.0, 36, 54, 72] {
      line(Color(0xFFF6E9), from: Point(x, 50), to: Point(x, 55), width: 6)
    }
    line(Color(0x5E7F3B), from: Point(58, 26), to: Point(66, 12), width: 2.4)
    ellipse(Color(0xB5203A), at: Point(57, 30), 15, 15)
    ellipse(Color(0xE66A7E), at: Point(54, 27), 4, 4)
  }
}
