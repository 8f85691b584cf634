import Testing

@testable import DecantRecipeFormats

/// Times as people and programs write them.
@Suite struct DurationsTests {
  @Test(
    arguments: [
      ("PT1H30M", 90), ("P0DT0H30M", 30), ("PT90M", 90), ("PT0H15M0S", 15), ("P1D", 1440),
      ("PT1.5H", 90),
      ("pt20m", 20), ("PT1H 30M", 90), ("P0Y0M0DT0H35M0.000S", 35), ("P30M", 30), ("PT30S", 0.5),
      ("P1W", 10080),
      ("1:30", 90), ("0:45", 45), (":20", 20), ("01:30:00", 90), ("20 mn", 20), ("1 hr 15 min", 75),
      ("1 hr. 15 min.", 75), ("2½ hours", 150), ("2 ½ hours", 150), ("2 1/2 hours", 150),
      ("1/2 hour", 30),
      ("1,5 Std.", 90), ("1 Stunde 10 Minuten", 70), ("1 heure et 5 minutes", 65), ("1h30", 90),
      ("1 h 30 min", 90),
      ("2 Hours 30 Minutes", 150), ("30-minute", 30), ("about 20 min", 20), ("ca. 45 Min.", 45),
      ("~5 min", 5),
      ("an hour", 60), ("15 Minutes", 15), ("20'", 20), ("2 jours", 2880), ("1 day, 2 hours", 1560),
      ("⅓ hour", 20),
    ] + languages)
  func `a time is so many minutes`(_ text: String, _ minutes: Double) throws {
    let found = try #require(Durations.minutes(text))
    #expect(abs(found - minutes) < 1e-9)
  }

  /// Times as sites of ten languages write them.
  private static let languages: [(String, Double)] = [
    ("half an hour", 30), ("1 hour and 20 minutes", 80), ("1 hr 5 mins", 65),
    ("eine halbe Stunde", 30), ("anderthalb Stunden", 90), ("1 Std. 15 Min.", 75), ("2 Stunden und 5 Minuten", 125),
    ("une demi-heure", 30), ("1 heure et demie", 90), ("1 h 20", 80), ("1h et 5mn", 65),
    ("media hora", 30), ("1 hora y media", 90), ("1 hora y 15 minutos", 75), ("una hora", 60),
    ("mezz'ora", 30), ("1 ora e mezza", 90), ("un'ora e 10 minuti", 70), ("2 ore", 120),
    ("meia hora", 30), ("1 hora e meia", 90), ("1h e 30min", 90), ("uma hora", 60),
    ("een half uur", 30), ("anderhalf uur", 90), ("1 uur en 10 minuten", 70), ("2 uren 5 min", 125),
    ("pół godziny", 30), ("półtorej godziny", 90), ("1 godz. 10 min", 70), ("2 godziny i 5 minut", 125),
    ("полчаса", 30), ("1 час 20 минут", 80), ("2 ч 5 мин", 125), ("полтора часа", 90),
    ("en halv timme", 30), ("1 timme och 10 minuter", 70), ("1 tim 5 min", 65), ("2 timmar", 120),
    ("1時間30分", 90), ("30分钟", 30), ("1小时20分钟", 80), ("半小时", 30),
  ]

  @Test(arguments: [
    "", "1 hour to 4 hours", "10-13 Minutes", "10 – 13 min", "8 20 minutes", "overnight", "PT", "P",
    "P1Y", "P1M2Y",
    "30", "1:75", "a:b", "20 minutes plus chilling", "1:2:3:4", "hours", "20 min or 30 min",
    "PT1H30", "-5 min",
    "5 6", "1e3 min", "1/0 hours", "Passover", "20 minutes 30",
  ])
  func `a range, and what says no time, has no minutes`(_ text: String) {
    #expect(Durations.minutes(text) == nil)
  }

  @Test func `a number alone is minutes only where they are meant`() {
    #expect(Durations.minutes("30", plainIsMinutes: true) == 30)
    #expect(Durations.minutes("1 30", plainIsMinutes: true) == nil)
    #expect(Durations.minutes("2 h", plainIsMinutes: true) == 120)
  }

  @Test func `a time is kept as written, and none is none`() {
    #expect(
      RecipeTime(written: " 1 hour to 4 hours ")
        == RecipeTime(text: "1 hour to 4 hours", minutes: nil)
    )
    #expect(RecipeTime(written: "PT20M") == RecipeTime(text: "PT20M", minutes: 20))
    for none in ["", " ", "PT0M", "PT0H0M0S", "0:00", "0", "0 min"] {
      #expect(RecipeTime(written: none) == nil)
    }
    #expect(RecipeTime(written: nil) == nil)
    #expect(RecipeTime(minutes: 45) == RecipeTime(text: "45 min", minutes: 45))
    #expect(RecipeTime(minutes: 0) == nil)
  }
}
