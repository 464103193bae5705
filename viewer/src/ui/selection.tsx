/** The card of the selected thing: where it is, where it belongs, and how to move it without a mouse. */
import { useRef, useState } from "preact/hooks";
import type { Light } from "../api/types";
import { backToOrigin, originOf, place, placeOf, setLight, undo } from "../state/actions";
import { VEHICLE } from "../state/choices";
import type { Place } from "../state/moves";
import { choices, choose, known, live } from "../state/page";
import { useStore } from "../state/store";
import { Button } from "./controls";
import { degrees, metres, radians } from "./format";
import { useStepAside } from "./stepaside";
import { useText } from "./text";

export function SelectionCard() {
  const selected = useStore(choices, (state) => state.selected);
  return selected ? <Card key={selected} name={selected} /> : <UndoChip />;
}

/** Moves can be taken back also when nothing is selected. */
function UndoChip() {
  const t = useText();
  const moves = useStore(choices, (state) => state.moves.length);
  if (moves === 0) return null;
  return (
    <div class="glass chip undo-chip">
      <Button icon="undo" kind="quiet" label={t("undo")} testId="undo" onClick={() => void undo()} />
    </div>
  );
}

function Card({ name }: { name: string }) {
  const t = useText();
  const moves = useStore(choices, (state) => state.moves.length);
  const object = useStore(known, (what) => what.world?.objects[name] ?? null);
  const light = useStore(live, (state) => state.frame?.lights.find((one) => one.name === name) ?? null, sameLight);
  const origin = originOf(name);
  const movable = name === VEHICLE || object?.movable === true;
  const card = useRef<HTMLElement>(null);
  const aside = useStepAside(card, name);
  return (
    <section ref={card} class={`glass card selection${aside ? " aside" : ""}`} aria-label={`${t("selection")}: ${name}`} data-testid="selection">
      <header class="row">
        <h2>{name === VEHICLE ? t("vehicle") : name}</h2>
        <Button icon="close" iconOnly kind="quiet" label={t("close")} onClick={() => choose({ selected: null })} />
      </header>
      {light && <LightControl light={light} />}
      <PlaceForm name={name} movable={movable} />
      {origin && (
        <dl class="reading" data-testid="origin">
          <dt>{t("origin")}</dt>
          <dd class="numbers">{words(origin)}</dd>
        </dl>
      )}
      {movable ? (
        <div class="row buttons">
          <Button icon="home" label={t("backToOrigin")} disabled={!origin} testId="back-to-origin" onClick={() => void backToOrigin(name)} />
          <Button icon="undo" iconOnly label={t("undo")} disabled={moves === 0} testId="undo" onClick={() => void undo()} />
        </div>
      ) : (
        <p class="muted small">{t("fixed")}</p>
      )}
    </section>
  );
}

function words(place: Place): string {
  return `${metres(place.x)}, ${metres(place.y)} m · ${degrees(place.yaw)}°`;
}

/** Live numbers that can be typed over; Enter moves the thing there. */
function PlaceForm({ name, movable }: { name: string; movable: boolean }) {
  const t = useText();
  const now = useStore(live, () => shownPlace(name), (a, b) => a.join() === b.join());
  const [typed, setTyped] = useState<Partial<Record<0 | 1 | 2, string>>>({});
  const labels = ["x m", "y m", t("yawDegrees")];
  const submit = (event: Event) => {
    event.preventDefault();
    // Only what was typed: the rest may have changed since it was shown.
    const [x, y, yaw] = ([0, 1, 2] as const).map((i) => (typed[i] === undefined ? undefined : Number(typed[i])));
    if ([x, y, yaw].some(Number.isNaN)) return;
    setTyped({});
    // A refusal has been shown by then, and the live numbers tell where the thing is.
    const to = { ...(x !== undefined && { x }), ...(y !== undefined && { y }), ...(yaw !== undefined && { yaw: radians(yaw) }) };
    place(name, to).catch(() => undefined);
  };
  const changed = Object.keys(typed).length > 0;
  return (
    <form class="place" onSubmit={submit} aria-label={t("live")} data-testid="place">
      {now.map((value, i) => (
        <label key={labels[i]}>
          <span>{labels[i]}</span>
          <input
            type="text"
            inputMode="decimal"
            class="numbers"
            disabled={!movable}
            value={typed[i as 0 | 1 | 2] ?? value}
            onInput={(event) => setTyped({ ...typed, [i]: event.currentTarget.value })}
          />
        </label>
      ))}
      {changed && (
        <button type="submit" class="button primary" data-testid="apply-place">
          <span>{t("apply")}</span>
        </button>
      )}
    </form>
  );
}

function shownPlace(name: string): string[] {
  const place = placeOf(name);
  return place ? [metres(place.x, 3), metres(place.y, 3), String(degrees(place.yaw))] : ["–", "–", "–"];
}

function sameLight(a: Light | null, b: Light | null): boolean {
  return a?.state === b?.state && a?.yellow_left?.toFixed(1) === b?.yellow_left?.toFixed(1);
}

function LightControl({ light }: { light: Light }) {
  const t = useText();
  const yellow = light.state === "yellow";
  const left = light.yellow_left ?? 0;
  return (
    <div class="light" role="group" aria-label={t("lightState")} data-testid="light" data-state={light.state}>
      <div class="row buttons">
        <button
          type="button"
          class="button lamp red"
          aria-pressed={light.state === "red"}
          disabled={yellow}
          data-testid="light-red"
          onClick={() => void setLight(light.name, "red")}
        >
          <span>{t("red")}</span>
        </button>
        <button
          type="button"
          class="button lamp green"
          aria-pressed={light.state === "green"}
          disabled={yellow}
          data-testid="light-green"
          onClick={() => void setLight(light.name, "green")}
        >
          <span>{t("green")}</span>
        </button>
      </div>
      {yellow && (
        <div class="countdown" data-testid="countdown">
          <span class="bar" style={{ width: `${(left / 3) * 100}%` }} />
          <span class="numbers">{t("redIn", { seconds: left.toFixed(1) })}</span>
        </div>
      )}
    </div>
  );
}
