/** The line at the bottom: where the car is, how fast, what it touches; and the keys that drive it. */
import type { Driver } from "../drive/driver";
import type { Direction } from "../drive/keys";
import { choices, known, live } from "../state/page";
import { useStore } from "../state/store";
import { degrees, metres } from "./format";
import { Icon, type IconName } from "./icons";
import { useText } from "./text";

export function Readings() {
  const t = useText();
  const [x, y, yaw, speed] = useStore(
    live,
    (state) => {
      const car = state.frame?.vehicle;
      return car ? [metres(car.x), metres(car.y), degrees(car.yaw).toFixed(0), metres(Math.abs(car.speed))] : ["–", "–", "–", "–"];
    },
    (a, b) => a.join() === b.join(),
  );
  const contacts = useStore(live, (state) => state.frame?.contacts.join(", ") ?? "");
  const fastest = useStore(known, (what) => what.vehicle?.max_speed ?? 3);
  return (
    <section class="glass readings" aria-label={t("pose")} data-testid="readings">
      <div class="speed">
        <strong class="numbers">{speed}</strong>
        <span class="muted">m/s</span>
        <span class="gauge" aria-hidden="true">
          <span style={{ width: `${Math.min(100, (Number(speed) / fastest) * 100) || 0}%` }} />
        </span>
      </div>
      <dl class="pose numbers">
        <div>
          <dt>x</dt>
          <dd>{x}</dd>
        </div>
        <div>
          <dt>y</dt>
          <dd>{y}</dd>
        </div>
        <div>
          <dt>yaw</dt>
          <dd>{yaw}°</dd>
        </div>
      </dl>
      {contacts && (
        <p class="contact" role="status">
          {t("contact", { names: contacts })}
        </p>
      )}
    </section>
  );
}

const PAD: readonly { direction: Direction; icon: IconName; letter: string }[] = [
  { direction: "left", icon: "left", letter: "A" },
  { direction: "forward", icon: "up", letter: "W" },
  { direction: "back", icon: "down", letter: "S" },
  { direction: "right", icon: "right", letter: "D" },
];

/** Shows the keys as they are held, and drives by touch. */
export function DrivePad({ driver }: { driver: Driver }) {
  const t = useText();
  const held = useStore(choices, (state) => state.held);
  return (
    <div class="glass drivepad" role="group" aria-label={t("driving")} data-testid="drivepad">
      {PAD.map(({ direction, icon, letter }) => (
        <button
          key={direction}
          type="button"
          class={`key ${direction}`}
          aria-label={t(direction)}
          title={`${t(direction)} · ${t("driveHint")}`}
          aria-pressed={held.has(direction)}
          onPointerDown={(event) => {
            event.preventDefault();
            event.currentTarget.setPointerCapture(event.pointerId);
            driver.press(direction);
          }}
          onPointerUp={() => driver.release(direction)}
          onPointerCancel={() => driver.release(direction)}
          onLostPointerCapture={() => driver.release(direction)}
          onContextMenu={(event) => event.preventDefault()}
          onKeyDown={(event) => {
            if (event.key !== "Enter" && event.key !== " ") return;
            event.preventDefault();
            driver.press(direction);
          }}
          onKeyUp={() => driver.release(direction)}
          onBlur={() => driver.release(direction)}
        >
          <Icon name={icon} />
          <kbd aria-hidden="true">{letter}</kbd>
        </button>
      ))}
    </div>
  );
}
