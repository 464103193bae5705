/** A card that steps aside when what it tells about lies below it: to the other side, on a phone to the other end. */
import { useEffect, useState } from "preact/hooks";
import { isPhone } from "../state/preferences";
import type { StageElement } from "./stagehost";

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The thing is seen with some ground around it. */
const AROUND_PX = 48;
const LOOK_MS = 200;

/** Whether the card of this thing has stepped aside. */
export function useStepAside(card: { current: HTMLElement | null }, name: string): boolean {
  const [aside, setAside] = useState(false);
  useEffect(() => {
    const look = () => {
      const [element, area] = [card.current, card.current?.parentElement];
      const spot = document.querySelector<StageElement>(".stage")?.stage?.screenOf(name);
      if (!element || !area || !spot) return;
      if (mustMove(spot, element.getBoundingClientRect(), area.getBoundingClientRect(), isPhone())) setAside((was) => !was);
    };
    look();
    const timer = setInterval(look, LOOK_MS);
    return () => clearInterval(timer);
  }, [name]);
  return aside;
}

/** Whether the card hides the spot and would not hide it in its other place within the area. */
export function mustMove(spot: { x: number; y: number }, card: Box, area: Box, isUpright: boolean): boolean {
  const { left, top, right, bottom } = card;
  const other = isUpright
    ? { left, right, top: area.top + area.bottom - bottom, bottom: area.top + area.bottom - top }
    : { top, bottom, left: area.left + area.right - right, right: area.left + area.right - left };
  return isWithin(spot, card, AROUND_PX) && !isWithin(spot, other, AROUND_PX);
}

function isWithin({ x, y }: { x: number; y: number }, { left, top, right, bottom }: Box, around: number): boolean {
  return x > left - around && x < right + around && y > top - around && y < bottom + around;
}
