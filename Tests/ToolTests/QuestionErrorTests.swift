import Testing

@testable import roqua_tool

/// Errors of the tool become errors of `roqua serve`, which has parameters and no options.
@Suite struct QuestionErrorTests {
  @Test(
    arguments: [
      (
        """
        Error: The value 'bogus' is invalid for '--by <by>'. Please provide one of the following:
          - country
          - year
        Help:  --by <by>  Break down by country or year.
        Usage: roqua stats [--by <by> ...]
        """,
        "The value 'bogus' is invalid for by. Please provide one of country, year."
      ),
      (
        "Error: The value 'x' is invalid for '--after <id>'\nHelp:  --after <id>  List regions.\n",
        "The value 'x' is invalid for after."
      ),
      (
        "Error: --nearest cannot be combined with --radius or --limit.\nUsage: roqua near\n",
        "nearest cannot be combined with radius or limit."
      ),
      (
        "Error: No country is called \"XX\". Did you mean Kosovo (XK)?\n",
        "No country is called \"XX\". Did you mean Kosovo (XK)?"
      ),
      ("roqua: store.sqlite: it is locked\n", "store.sqlite: it is locked"), ("", ""),
    ])
  func `an error is one sentence that names parameters`(text: String, sentence: String) {
    #expect(QuestionError.sentence(of: text) == sentence)
  }
}
