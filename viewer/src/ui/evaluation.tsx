/** An evaluation as the person sees it: the card that starts it, the display while it runs, the result. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { LogLine, Outcome, Phase } from "../api/evaluation";
import { startEvaluation, stopEvaluation } from "../state/actions";
import { fitsRobot } from "../state/known";
import { isActive, sessionSeconds } from "../state/live";
import { choose, known, live } from "../state/page";
import { useStore } from "../state/store";
import type { TextKey } from "../texts";
import { Button, Modal } from "./controls";
import { clock, recordValue } from "./format";
import { Icon, type IconName } from "./icons";
import { useText } from "./text";

const PHASES: Record<Phase, TextKey> = {
  starting: "phaseStarting",
  initializing: "phaseInitializing",
  running: "phaseRunning",
  ended: "phaseEnded",
};

export const OUTCOMES: Record<Outcome, { text: TextKey; icon: IconName }> = {
  finished: { text: "outcomeFinished", icon: "check" },
  timeout: { text: "outcomeTimeout", icon: "clock" },
  script_error: { text: "outcomeScriptError", icon: "warning" },
  stopped: { text: "outcomeStopped", icon: "stop" },
  unsupported: { text: "outcomeUnsupported", icon: "warning" },
};

/** As in the contract, when the world's evaluation names none. */
const DEFAULT_LIMIT_S = 180;
/** Enough of a traceback to see the mistake. */
const LAST_LINES = 12;

const close = () => choose({ dialog: null });

export function StartDialog() {
  const t = useText();
  const config = useStore(known, (what) => what.evaluation?.config ?? {});
  const last = useStore(live, (state) => state.session?.command ?? "");
  const [command, setCommand] = useState(last);
  const [limit, setLimit] = useState(String(config.time_limit_s ?? DEFAULT_LIMIT_S));
  const [busy, setBusy] = useState(false);
  const seconds = Number(limit);
  const valid = seconds > 0 && seconds <= 3600;
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    await startEvaluation({ time_limit_s: seconds, ...(command.trim() ? { command } : {}) });
    setBusy(false);
  };
  return (
    <Modal name="start" title={t("startTitle")} onClose={close}>
      {config.description && <p class="description">{config.description}</p>}
      {config.better && <p class="muted small">{t(config.better === "higher" ? "higherIsBetter" : "lowerIsBetter")}</p>}
      <form class="stack" onSubmit={(event) => void submit(event)}>
        <label class="field">
          <span>{t("command")}</span>
          <input
            type="text"
            class="mono"
            maxLength={2000}
            value={command}
            spellcheck={false}
            autocomplete="off"
            placeholder="python3 drive.py"
            autofocus
            data-testid="command"
            onInput={(event) => setCommand(event.currentTarget.value)}
          />
          <small class="muted">{t("commandHint")}</small>
        </label>
        <label class="field">
          <span>{t("timeLimit")}</span>
          <input
            type="text"
            inputMode="decimal"
            class="numbers"
            value={limit}
            data-testid="time-limit"
            onInput={(event) => setLimit(event.currentTarget.value)}
          />
        </label>
        <div class="row buttons end">
          <Button label={t("cancel")} kind="quiet" onClick={close} />
          <button type="submit" class="button primary" disabled={!valid || busy} data-testid="start">
            <Icon name="flag" />
            <span>{t("start")}</span>
          </button>
        </div>
      </form>
    </Modal>
  );
}

/** Over the scene while a session runs; also in pages that were opened in the middle of it. */
export function EvaluationHud() {
  const active = useStore(live, isActive);
  return active ? <Hud /> : null;
}

function Hud() {
  const t = useText();
  const session = useStore(live, (state) => state.session);
  const time = useStore(live, (state) => clock(sessionSeconds(state)));
  const share = useStore(live, (state) => Math.round((1000 * sessionSeconds(state)) / (state.session?.time_limit_s ?? 1)) / 10);
  const [open, setOpen] = useState(true);
  if (!session) return null;
  const { running, exit_code: exitCode } = session.student;
  return (
    <section class="glass hud" aria-label={t("startTitle")} data-testid="hud" data-phase={session.phase}>
      <div class="hud-row">
        <div class="hud-cell">
          <span class="label">{t("record")}</span>
          <strong class="numbers" data-testid="hud-record">
            {recordValue(session.record)}
          </strong>
        </div>
        <div class="hud-cell">
          <span class="label">{t("time")}</span>
          <strong class="numbers" data-testid="hud-time">
            {time}
          </strong>
        </div>
        <div class="hud-cell grow">
          <span class="label phase">{t(PHASES[session.phase])}</span>
          <span class="muted small ellipsis">
            {running ? t("studentRunning") : exitCode !== null ? t("studentExit", { code: exitCode }) : (session.command ?? t("watched"))}
          </span>
        </div>
        <Button icon="chevron" iconOnly kind="quiet" label={t("log")} pressed={open} onClick={() => setOpen(!open)} />
        <Button icon="stop" kind="danger" label={t("stop")} testId="stop" onClick={() => void stopEvaluation()} />
      </div>
      <div class="limit" aria-hidden="true">
        <span style={{ width: `${Math.min(100, share)}%` }} />
      </div>
      {open && <Log />}
    </section>
  );
}

function Log() {
  const t = useText();
  const log = useStore(live, (state) => state.log);
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const element = list.current;
    if (element) element.scrollTop = element.scrollHeight;
  }, [log]);
  return (
    <ol class="log" ref={list} aria-label={t("log")} data-testid="log" tabIndex={0}>
      {log.length === 0 && <li class="muted">{t("logEmpty")}</li>}
      {log.slice(-60).map((line, i) => (
        <Line key={i} line={line} />
      ))}
    </ol>
  );
}

function Line({ line }: { line: LogLine }) {
  return <li class={`line ${line.stream}`}>{line.line}</li>;
}

export function ResultDialog() {
  const t = useText();
  const session = useStore(live, (state) => state.session);
  const log = useStore(live, (state) => state.log);
  const flag = useStore(known, fitsRobot);
  if (!session?.outcome) return null;
  const { text, icon } = OUTCOMES[session.outcome];
  const failed = session.outcome !== "finished";
  return (
    <Modal name="result" title={t("startTitle")} onClose={close}>
      <div class={`result ${session.outcome}`} data-testid="result" data-outcome={session.outcome}>
        <span class="seal">
          <Icon name={icon} />
        </span>
        <h3>{t(text)}</h3>
        {session.record !== null && (
          <strong class="value numbers" data-testid="result-value">
            {recordValue(session.record)}
          </strong>
        )}
        <p class="muted numbers">
          {t("time")} {clock(session.elapsed_s)}
        </p>
        <p class={`muted small command${session.command === null ? "" : " mono"}`} title={session.command ?? undefined}>
          {session.command ?? t("watched")}
        </p>
        {session.outcome === "timeout" && <p>{t("timeoutExplained")}</p>}
        {session.reason && <p class="reason">{session.reason}</p>}
      </div>
      {failed && log.length > 0 && (
        <section aria-label={t("lastLines")}>
          <h4>{t("lastLines")}</h4>
          <ol class="log" tabIndex={0} data-testid="last-lines">
            {log.slice(-LAST_LINES).map((line, i) => (
              <Line key={i} line={line} />
            ))}
          </ol>
        </section>
      )}
      <div class="row buttons end">
        <Button icon="board" label={t("records")} onClick={() => choose({ dialog: null, board: true })} />
        {flag && <Button icon="flag" kind="primary" label={t("again")} onClick={() => choose({ dialog: "start" })} />}
      </div>
    </Modal>
  );
}
