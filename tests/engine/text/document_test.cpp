// JSON with places: what is read, where it stood, and the message and the exact line and column of what is no JSON.
#include "text/document.h"

#include <gtest/gtest.h>

namespace tendril::text {
namespace document_test {

Document parsed(const std::string& text) {
  auto result = Document::parse(text);
  if (const auto* problems = std::get_if<Problems>(&result)) {
    ADD_FAILURE() << describe((*problems)[0], "text") << "\n" << text;
    return std::get<Document>(Document::parse("{}"));
  }
  return std::get<Document>(std::move(result));
}

Problem refused(const std::string& text) {
  auto result = Document::parse(text);
  if (const auto* problems = std::get_if<Problems>(&result)) return problems->empty() ? Problem{} : problems->back();
  ADD_FAILURE() << "accepted: " << text.substr(0, 100);
  return {};
}

TEST(Document, ReadsValuesWithTheirPlaces) {
  const std::string text = "{ \"a\": [1, -2.5e3, true, null],\n  \"b/c~d\": { \"t\": \"x\\n\\u00e9\\ud83d\\ude00\" } }";
  const Document document = parsed(text);
  const Value& a = *document.root().find("a");
  ASSERT_EQ(a.items.size(), 4u);
  EXPECT_EQ(a.items[1].number, -2500);
  EXPECT_TRUE(a.items[2].boolean);
  EXPECT_EQ(a.items[3].kind, Value::Kind::null);
  EXPECT_EQ(a.items[1].pointer, "/a/1");
  EXPECT_EQ(text.substr(a.items[1].span.begin, a.items[1].span.end - a.items[1].span.begin), "-2.5e3");
  const Value& t = *document.root().find("b/c~d")->find("t");
  EXPECT_EQ(t.pointer, "/b~1c~0d/t");
  EXPECT_EQ(t.string, "x\n\xC3\xA9\xF0\x9F\x98\x80");
  const Problem problem = document.problem(t, "m");
  EXPECT_EQ(problem.line, 2);
  EXPECT_EQ(problem.column, 19);
  EXPECT_EQ(describe(problem, "f.json"), "f.json:2:19: m (at /b~1c~0d/t)");
  EXPECT_EQ(document.root().span.begin, 0u);
  EXPECT_EQ(document.root().span.end, text.size());
}

TEST(Document, ColumnsCountCodePointsAndOffsetsUtf16) {
  // Before the value stand two-byte, three-byte and four-byte characters.
  const std::string text = "{\n\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\": 7}";
  const Document document = parsed(text);
  const Problem problem = document.problem(document.root().members[0].value, "m");
  EXPECT_EQ(problem.line, 2);
  EXPECT_EQ(problem.column, 8);     // quote, 3 characters, quote, colon, blank
  EXPECT_EQ(problem.from, 2u + 8);  // the last character takes two units
  EXPECT_EQ(problem.to, 2u + 9);
}

TEST(Document, ToleratesCommentsAndByteOrderMark) {
  const Document document = parsed("\xEF\xBB\xBF// c\n{ /* a\n b */ \"a\" /*x*/ : // y\r\n 1 } // end");
  EXPECT_EQ(document.root().find("a")->number, 1);
  EXPECT_EQ(document.problem(*document.root().find("a"), "m").line, 4);
  const Document first = parsed("\xEF\xBB\xBF{\"a\": 1}");
  EXPECT_EQ(first.problem(first.root().members[0].value, "m").column, 7);
}

TEST(Document, PartOfAFormulaHasItsOwnPlace) {
  const Document plain = parsed("{\"a\": \"=1+bad\"}");
  const Problem part = plain.problem(*plain.root().find("a"), "m", 3, 3);
  EXPECT_EQ(part.column, 11);
  EXPECT_EQ(part.to - part.from, 3u);
  const Document escaped = parsed("{\"a\": \"=1+\\u0062ad\"}");
  EXPECT_EQ(escaped.problem(*escaped.root().find("a"), "m", 3, 3).column, 7) << "an escape: the whole text is meant";
}

TEST(Document, RefusesWhatIsNoJsonWithLineAndColumn) {
  const struct {
    const char *text, *message;
    int line, column;
  } cases[] = {
      {"", "empty", 1, 1},
      {"  \n ", "empty", 1, 1},
      {"// only a comment", "empty", 1, 1},
      {"{", "expected a key in double quotes, found the end of the text", 1, 2},
      {"{\"a\"", "expected \":\" after a key, found the end", 1, 5},
      {"{\"a\":", "expected a value, found the end", 1, 6},
      {"{\"a\": 1", "expected \",\" or \"}\"", 1, 8},
      {"{\"a\": 1,\n \"b\": [1, 2", "expected \",\" or \"]\"", 2, 12},
      {"{\"a\": 1,}", "comma before \"}\" is not allowed", 1, 8},
      {"[1,]", "comma before \"]\" is not allowed", 1, 3},
      {"{\"a\" 1}", "expected \":\" after a key, found \"1\"", 1, 6},
      {"{\"a\": 1 \"b\": 2}", "found a text in quotes", 1, 9},
      {"{a: 1}", "expected a key in double quotes, found \"a\"", 1, 2},
      {"{'a': 1}", "expected a key in double quotes", 1, 2},
      {"{\"a\": 'x'}", "double quotes", 1, 7},
      {"{\"a\": tru}", "expected a value, found \"tru\"", 1, 7},
      {"{\"a\": NaN}", "must be finite", 1, 7},
      {"{\"a\": -Infinity}", "is not a number", 1, 7},
      {"{\"a\": 1e999}", "too large", 1, 7},
      {"{\"a\": 01}", "does not start with a zero", 1, 7},
      {"{\"a\": 1.}", "is not a number", 1, 7},
      {"{\"a\": .5}", "expected a value", 1, 7},
      {"{\"a\": 1e}", "is not a number", 1, 7},
      {"{\"a\": 5mm}", "\"5mm\" is not a number", 1, 7},
      {"{\"a\": +5}", "expected a value, found \"+\"", 1, 7},
      {"{\"a\": \"x}", "no closing quote", 1, 7},
      {"{\"a\": \"x\ny\"}", "line break inside a text", 1, 9},
      {"{\"a\": \"\\q\"}", "unknown escape", 1, 8},
      {"{\"a\": \"\\u12g4\"}", "four hexadecimal digits", 1, 8},
      {"{\"a\": \"\\ud800\"}", "surrogate", 1, 8},
      {"{\"a\": \"\\ud800\\u0041\"}", "surrogate", 1, 8},
      {"{} {}", "more text", 1, 4},
      {"{}\nx", "more text: found \"x\"", 2, 1},
      {"{ /* x", "comment is not closed", 1, 3},
      {"{\"a\": \"\xC3\x28\"}", "not valid UTF-8", 1, 8},
      {"\xFF\xFE{\0", "not valid UTF-8", 1, 1},
      {"{\"a\": \"\xED\xA0\x80\"}", "not valid UTF-8", 1, 8},
      {"{\"a\": 1, \"b\": 2, \"a\": 3}", "\"a\" appears twice", 1, 18},
  };
  for (const auto& c : cases) {
    const Problem problem = refused(c.text);
    EXPECT_NE(problem.message.find(c.message), std::string::npos) << c.text << ": " << problem.message;
    EXPECT_EQ(problem.line, c.line) << c.text << ": " << problem.message;
    EXPECT_EQ(problem.column, c.column) << c.text << ": " << problem.message;
  }
}

TEST(Document, LimitsDepthAndCount) {
  EXPECT_NE(refused(std::string(20000, '[')).message.find("nested more than 100 deep"), std::string::npos);
  EXPECT_EQ(refused(std::string(20000, '[')).column, 101);
  std::string deep;
  for (int k = 0; k < 20000; ++k) deep += "{\"a\":";
  EXPECT_NE(refused(deep).message.find("nested more than 100 deep"), std::string::npos);
  std::string many = "[0";
  for (int k = 0; k < 2000001; ++k) many += ",0";
  EXPECT_NE(refused(many + "]").message.find("too large"), std::string::npos);
}

TEST(Document, DuplicateKeysAreAllListed) {
  auto result = Document::parse("{\"a\": {\"x\": 1, \"x\": 2}, \"a\": 3}");
  ASSERT_TRUE(std::holds_alternative<Problems>(result));
  EXPECT_EQ(std::get<Problems>(result).size(), 2u);
  EXPECT_EQ(std::get<Problems>(result)[0].pointer, "/a/x");
}

// What is refused, but is JSON, is all told; and what else the text says is known.
TEST(Document, AGlanceReadsWhatIsRefused) {
  const std::string text = "{\"a\": 1e999, \"b\": \"\\ud800\", \"c\": NaN, \"a\": 2, \"title\": \"x\"}";
  auto result = Document::parse(text);
  ASSERT_TRUE(std::holds_alternative<Problems>(result));
  EXPECT_EQ(std::get<Problems>(result).size(), 4u);
  const std::optional<Document> seen = Document::glance(text);
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->root().find("title")->string, "x");
  EXPECT_FALSE(Document::glance("{\"a\": 1,}"));
}

TEST(Document, LinesEndInEveryWay) {
  for (const char* end : {"\n", "\r\n", "\r"}) {
    const std::string e = end;
    const Problem problem = refused("{ // a comment" + e + "\"a\": 1," + e + " \"b\": x}");
    EXPECT_EQ(problem.line, 3) << e.size();
    EXPECT_EQ(problem.column, 7) << e.size();
  }
}

TEST(Document, SaysWhatIsNotUtf8) {
  EXPECT_NE(refused(std::string("{\0\"\0a\0", 6)).message.find("UTF-16"), std::string::npos);
  EXPECT_NE(refused(std::string("\0{\0\"", 4)).message.find("UTF-16"), std::string::npos);
}

TEST(Document, LongKeysAreCutInMessages) {
  const Problem problem = refused("{\"" + std::string(3000000, 'k') + "\": x}");
  EXPECT_LT(problem.pointer.size() + problem.message.size(), 600u);
}

TEST(Document, EveryPrefixOfASceneIsRefusedWithoutACrash) {
  const std::string text = "{\"a\": [1.5e-3, \"\\u00e9\", true, {\"b\": null}], /* c */ \"d\": -0.25 }";
  ASSERT_TRUE(std::holds_alternative<Document>(Document::parse(text)));
  for (std::size_t k = 0; k < text.size(); ++k) {
    const Problem problem = refused(text.substr(0, k));
    EXPECT_FALSE(problem.message.empty());
    EXPECT_LE(problem.to, k);
  }
}

}  // namespace document_test
}  // namespace tendril::text
