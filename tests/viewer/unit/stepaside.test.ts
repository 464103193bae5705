import { expect, test } from "vitest";
import { mustMove } from "../../../viewer/src/ui/stepaside";

const area = { left: 12, top: 66, right: 984, bottom: 720 };
const atLeft = { left: 12, top: 66, right: 284, bottom: 266 };
const atRight = { left: 712, top: 66, right: 984, bottom: 266 };

test("a card steps aside from what lies below it, and back from what lies there", () => {
  expect(mustMove({ x: 150, y: 150 }, atLeft, area, false)).toBe(true);
  expect(mustMove({ x: 150, y: 150 }, atRight, area, false)).toBe(false);
  expect(mustMove({ x: 850, y: 150 }, atRight, area, false)).toBe(true);
  expect(mustMove({ x: 300, y: 280 }, atLeft, area, false), "half below its edge").toBe(true);
  expect(mustMove({ x: 500, y: 400 }, atLeft, area, false)).toBe(false);
});

test("on a phone it goes to the other end", () => {
  const phone = { left: 8, top: 112, right: 382, bottom: 654 };
  const above = { left: 8, top: 112, right: 382, bottom: 312 };
  expect(mustMove({ x: 100, y: 200 }, above, phone, true)).toBe(true);
  expect(mustMove({ x: 100, y: 200 }, { ...above, top: 454, bottom: 654 }, phone, true)).toBe(false);
});

test("a card that would hide it in either place stays where it is", () => {
  const narrow = { ...area, right: 400 };
  expect(mustMove({ x: 200, y: 150 }, atLeft, narrow, false)).toBe(false);
});
