import { setPaused } from "../state/actions";
import { fitsRobot } from "../state/known";
import { isActive } from "../state/live";
import { choices, choose, known, live, preferences } from "../state/page";
import type { Theme } from "../state/preferences";
import { useStore } from "../state/store";
import { Button } from "./controls";
import { clock } from "./format";
import { Icon, type IconName } from "./icons";
import { useText } from "./text";

const NEXT_THEME: Record<Theme, Theme> = { auto: "dark", dark: "light", light: "auto" };
const THEME_ICON: Record<Theme, IconName> = { auto: "auto", dark: "moon", light: "sun" };
const THEME_TEXT = { auto: "themeAuto", dark: "themeDark", light: "themeLight" } as const;

export function TopBar() {
  return (
    <header class="topbar">
      <WorldChip />
      <ClockChip />
      <span class="spacer" />
      <Actions />
    </header>
  );
}

function WorldChip() {
  const t = useText();
  const file = useStore(live, (state) => state.frame?.current ?? null);
  const display = useStore(known, (what) => what.world?.display ?? null);
  return (
    <button
      type="button"
      class="glass chip world-chip"
      aria-label={`${t("world")}: ${display ?? file ?? t("noWorld")}. ${t("chooseWorld")}`}
      data-testid="world-chip"
      onClick={() => choose({ dialog: "worlds" })}
    >
      <span class="mark" aria-hidden="true" />
      <strong>{display ?? file ?? t("noWorld")}</strong>
      <Icon name="chevron" />
    </button>
  );
}

function ClockChip() {
  const t = useText();
  const time = useStore(live, (state) => (state.frame ? clock(state.frame.time) : "–"));
  const rtf = useStore(live, (state) => (state.frame && !state.frame.paused ? `${state.frame.rtf.toFixed(2)}×` : ""));
  const paused = useStore(live, (state) => state.frame?.paused ?? false);
  const usable = useStore(live, (state) => state.link.status === "open" && (state.frame?.running ?? false));
  return (
    <div class="glass chip clock-chip">
      <Button
        icon={paused ? "play" : "pause"}
        iconOnly
        kind={paused ? "primary" : "quiet"}
        label={paused ? t("resume") : t("pause")}
        disabled={!usable}
        testId="pause"
        onClick={() => void setPaused(!paused)}
      />
      <span class="numbers" title={t("simTime")} data-testid="time">
        {time}
      </span>
      <span class="muted numbers rtf" title={t("rtf")} data-testid="rtf">
        {paused ? t("paused") : rtf}
      </span>
    </div>
  );
}

function Actions() {
  const t = useText();
  const flag = useStore(known, fitsRobot);
  const hasEvaluation = useStore(known, (what) => what.evaluation !== null);
  const active = useStore(live, isActive);
  const board = useStore(choices, (state) => state.board);
  const { theme, language, panel } = useStore(preferences, (chosen) => chosen);
  const prefer = (change: Partial<ReturnType<typeof preferences.get>>) =>
    preferences.update((chosen) => ({ ...chosen, ...change }));
  return (
    <nav class="glass chip actions" aria-label={t("panel")}>
      {flag && (
        <Button
          icon="flag"
          kind="primary"
          label={t("evaluate")}
          disabled={active}
          testId="flag"
          onClick={() => choose({ dialog: "start" })}
        />
      )}
      {hasEvaluation && (
        <Button
          icon="board"
          iconOnly
          kind="quiet"
          label={t("records")}
          pressed={board}
          testId="board"
          onClick={() => choose({ board: !board })}
        />
      )}
      <Button
        icon="language"
        iconOnly
        kind="quiet"
        label={t("language")}
        testId="language"
        onClick={() => prefer({ language: language === "en" ? "ko" : "en" })}
      />
      <Button
        icon={THEME_ICON[theme]}
        iconOnly
        kind="quiet"
        label={t(THEME_TEXT[theme])}
        testId="theme"
        onClick={() => prefer({ theme: NEXT_THEME[theme] })}
      />
      <Button
        icon="sliders"
        iconOnly
        kind="quiet"
        label={t("panel")}
        pressed={panel}
        testId="panel"
        onClick={() => prefer({ panel: !panel })}
      />
    </nav>
  );
}
