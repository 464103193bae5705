/** The board of past records. The chosen one's line is drawn on the track, its speed beside it. */
import { useEffect, useState } from "preact/hooks";
import { API, get } from "../api/client";
import { type FullRecord, type RecordEntry, type RecordsAnswer, type Sample, samplesOf } from "../api/records";
import { attempt } from "../state/actions";
import { choices, choose, known, live } from "../state/page";
import { useStore } from "../state/store";
import { Button } from "./controls";
import { OUTCOMES } from "./evaluation";
import { clock, recordValue } from "./format";
import { Icon } from "./icons";
import { SpeedPlot } from "./speedplot";
import { useText } from "./text";

export function Board() {
  const open = useStore(choices, (state) => state.board);
  return open ? <Records /> : null;
}

function Records() {
  const t = useText();
  const world = useStore(live, (state) => state.frame?.current ?? "");
  const display = useStore(known, (what) => what.world?.display ?? "");
  // A session that ends while the board is open appears on it.
  const ended = useStore(live, (state) => (state.session?.outcome ? state.session.session_id : ""));
  const [records, setRecords] = useState<readonly RecordEntry[] | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const [samples, setSamples] = useState<readonly Sample[] | null>(null);
  useEffect(() => {
    if (!world) return;
    void attempt(get<RecordsAnswer>(`/evaluation/records?world=${encodeURIComponent(world)}`)).then((answer) =>
      setRecords(answer?.records ?? []),
    );
  }, [world, ended]);
  useEffect(() => {
    setSamples(null);
    if (!chosen) return;
    const leave = new AbortController();
    get<FullRecord>(`/evaluation/record?full=true&session=${encodeURIComponent(chosen)}`, leave.signal).then(
      (record) => setSamples(samplesOf(record.trajectory)),
      (error: unknown) => leave.signal.aborted || void attempt(Promise.reject(error)),
    );
    return () => leave.abort();
  }, [chosen]);
  useEffect(() => {
    choose({ trajectory: samples?.length ? samples : null });
    return () => choose({ trajectory: null });
  }, [samples]);
  return (
    <aside class="glass card board" aria-label={t("records")} data-testid="records">
      <header class="row">
        <h2>{t("recordsOf", { world: display })}</h2>
        <Button icon="close" iconOnly kind="quiet" label={t("close")} onClick={() => choose({ board: false })} />
      </header>
      {records?.length === 0 && <p class="muted">{t("recordsEmpty")}</p>}
      <ol class="records">
        {records?.map((entry) => (
          <li key={entry.session_id} class={entry.session_id === chosen ? "chosen" : ""}>
            <button
              type="button"
              class="record-row"
              aria-expanded={entry.session_id === chosen}
              data-testid="record"
              onClick={() => setChosen(entry.session_id === chosen ? null : entry.session_id)}
            >
              <span class={`dot ${entry.outcome}`}>
                <Icon name={OUTCOMES[entry.outcome].icon} />
              </span>
              <strong class="numbers">{recordValue(entry.record)}</strong>
              <span class="ellipsis muted small">{entry.command ?? t("watched")}</span>
              {entry.best && <span class="badge">{t("best")}</span>}
            </button>
            {entry.session_id === chosen && <Details entry={entry} samples={samples} />}
          </li>
        ))}
      </ol>
    </aside>
  );
}

function Details({ entry, samples }: { entry: RecordEntry; samples: readonly Sample[] | null }) {
  const t = useText();
  return (
    <div class="details">
      <p class="muted small">
        {t(OUTCOMES[entry.outcome].text)} · {clock(entry.sim_time_s)} · {new Date(entry.started_at).toLocaleString()}
      </p>
      {entry.reason && <p class="small">{entry.reason}</p>}
      {samples && samples.length > 1 && <SpeedPlot samples={samples} />}
      {samples && samples.length <= 1 && <p class="muted small">{t("noTrajectory")}</p>}
      {entry.mcap && (
        <a class="button plain" href={`${API}/evaluation/records/${encodeURIComponent(entry.session_id)}/mcap`} download title={t("mcapHint")}>
          <Icon name="download" />
          <span>{t("mcap")}</span>
        </a>
      )}
    </div>
  );
}
