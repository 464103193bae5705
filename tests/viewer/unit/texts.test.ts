import { expect, it } from "vitest";
import { ALL_TEXTS, text } from "../../../viewer/src/texts";

const names = (sentence: string) => [...sentence.matchAll(/\{(\w+)\}/g)].map((found) => found[1]).sort();

it("every text exists in both languages and fills in the same names", () => {
  for (const [key, [english, korean]] of Object.entries(ALL_TEXTS)) {
    expect(english.trim(), key).not.toBe("");
    expect(korean.trim(), key).not.toBe("");
    expect(names(korean), key).toEqual(names(english));
  }
});

it("values are filled in", () => {
  expect(text("en", "redIn", { seconds: "2.5" })).toBe("Red in 2.5 s");
  expect(text("ko", "redIn", { seconds: "2.5" })).toBe("2.5초 뒤 빨강");
});
