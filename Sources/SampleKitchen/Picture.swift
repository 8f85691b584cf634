import DecantContainers

/// The drawings of the samples, each on a coloured ground.
enum Picture: Hashable {
  case bowl(soup: Int, garnish: Int)
  case carrot
  case bread
  case pan
  case fish
  case tomato
  case cake(filling: Int)

  /// Returns the picture as a PNG of `size` by `size` pixels.
  func png(size: Int) throws(ContainerError) -> [UInt8] {
    try PNG.encode(drawn(size: size).pixels, width: size)
  }

  private func drawn(size: Int) -> Canvas {
    var canvas = Canvas(size: size, background: background)
    switch self {
    case .bowl(let soup, let garnish): canvas.drawBowl(Color(soup), Color(garnish))
    case .carrot: canvas.drawCarrot()
    case .bread: canvas.drawBread()
    case .pan: canvas.drawPan()
    case .fish: canvas.drawFish()
    case .tomato: canvas.drawTomato()
    case .cake(let filling): canvas.drawCake(Color(filling))
    }
    return canvas
  }

  private var background: Color {
    switch self {
    case .bowl: Color(0xDCE9EF)
    case .carrot: Color(0xE8F0D8)
    case .bread: Color(0xF3E4CC)
    case .pan: Color(0xE4DFEA)
    case .fish: Color(0xD3ECEA)
    case .tomato: Color(0xEDF3DC)
    case .cake: Color(0xF6E1E4)
    }
  }
}
