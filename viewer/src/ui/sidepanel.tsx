/** The panel at the side: views, what is shown, the scene, the text on screen. */
import { useEffect, useState } from "preact/hooks";
import { reloadWorld, resetPositions, setBrightness } from "../state/actions";
import { VEHICLE } from "../state/choices";
import { choices, choose, known, live, preferences } from "../state/page";
import { isPhone, type Preferences, type View } from "../state/preferences";
import { sameList, useStore } from "../state/store";
import { Button, Section, Segmented, Slider } from "./controls";
import type { IconName } from "./icons";
import { OverlaySection } from "./overlayform";
import { useText } from "./text";

export function SidePanel() {
  const t = useText();
  const open = useStore(preferences, (chosen) => chosen.panel);
  if (!open) return null;
  return (
    <aside class="glass sidepanel" aria-label={t("panel")} data-testid="sidepanel">
      <ViewSection />
      <ObjectSection />
      <SceneSection />
      <OverlaySection />
      <DrivingSection />
    </aside>
  );
}

function prefer(change: Partial<Preferences>): void {
  preferences.update((chosen) => ({ ...chosen, ...change }));
}

function ViewSection() {
  const t = useText();
  const { view, grid } = useStore(preferences, (chosen) => chosen);
  const { camera, lidar } = useStore(choices, (state) => state);
  const views: { value: View; label: string; icon: IconName }[] = [
    { value: "orbit", label: t("viewOrbit"), icon: "orbit" },
    { value: "follow", label: t("viewFollow"), icon: "follow" },
    { value: "top", label: t("viewTop"), icon: "top" },
    { value: "driver", label: t("viewDriver"), icon: "driver" },
  ];
  return (
    <Section title={t("view")}>
      <Segmented label={t("view")} value={view} options={views} onChange={(value) => prefer({ view: value })} />
      <div class="toggles" role="group" aria-label={t("show")}>
        <Button icon="camera" label={t("robotCamera")} pressed={camera} testId="toggle-camera" onClick={() => choose({ camera: !camera })} />
        <Button icon="lidar" label={t("lidar")} pressed={lidar} testId="toggle-lidar" onClick={() => choose({ lidar: !lidar })} />
        <Button icon="grid" label={t("grid")} pressed={grid} testId="toggle-grid" onClick={() => prefer({ grid: !grid })} />
      </div>
    </Section>
  );
}

function ObjectSection() {
  const t = useText();
  const names = useStore(
    known,
    (what) => Object.entries(what.world?.objects ?? {}).flatMap(([name, object]) => (object.movable ? [name] : [])),
    sameList,
  );
  const selected = useStore(choices, (state) => state.selected);
  return (
    <Section title={t("objects")}>
      <select
        aria-label={t("chooseObject")}
        data-testid="objects"
        value={selected ?? ""}
        onChange={(event) => {
          choose({ selected: event.currentTarget.value || null });
          // The card of what was chosen is below the sheet.
          if (isPhone()) prefer({ panel: false });
        }}
      >
        <option value="">{t("chooseObject")}</option>
        <option value={VEHICLE}>{t("vehicle")}</option>
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </Section>
  );
}

function SceneSection() {
  const t = useText();
  const served = useStore(live, (state) => state.frame?.brightness ?? 1);
  const busy = useStore(live, (state) => state.link.status !== "open" || (state.frame?.switching ?? true));
  // While the slider is held it shows the hand's value, not the server's echo of a moment ago.
  const [held, setHeld] = useState<number | null>(null);
  useEffect(() => {
    if (held !== null && Math.abs(held - served) < 1e-6) setHeld(null);
  }, [held, served]);
  const value = held ?? served;
  return (
    <Section title={t("scene")}>
      <div data-testid="brightness" onFocusOut={() => setHeld(null)}>
        <Slider
          label={t("brightness")}
          value={value}
          min={0.2}
          max={2}
          step={0.05}
          shown={`${Math.round(value * 100)} %`}
          onInput={(next) => {
            setHeld(next);
            latest.send(next);
          }}
        />
      </div>
      <div class="row buttons">
        <Button icon="reset" label={t("reset")} hint={t("resetHint")} disabled={busy} testId="reset" onClick={() => void resetPositions()} />
        <Button icon="reload" label={t("reload")} hint={t("reloadHint")} disabled={busy} testId="reload" onClick={() => void reloadWorld()} />
      </div>
    </Section>
  );
}

/** A dragged slider makes values faster than the server should get them: one under way, then the newest. */
const latest = {
  waiting: null as number | null,
  busy: false,
  async send(value: number): Promise<void> {
    this.waiting = value;
    if (this.busy) return;
    this.busy = true;
    while (this.waiting !== null) {
      const next: number = this.waiting;
      this.waiting = null;
      await setBrightness(next);
    }
    this.busy = false;
  },
};

function DrivingSection() {
  const t = useText();
  const speed = useStore(preferences, (chosen) => chosen.driveSpeed);
  return (
    <Section title={t("driving")}>
      <Slider
        label={t("driveSpeed")}
        value={speed}
        min={0.2}
        max={2}
        step={0.1}
        shown={`${speed.toFixed(1)} m/s`}
        onInput={(value) => prefer({ driveSpeed: value })}
      />
      <p class="muted small">{t("driveHint")}</p>
      <p class="muted small">{t("shortcuts")}</p>
    </Section>
  );
}
