/** The 3D stage in the page: what it shows follows the stores, what happens on it goes to the API. */
import { useEffect, useRef, useState } from "preact/hooks";
import { API, get } from "../api/client";
import type { SceneDocument } from "../scene/document";
import type { Stage } from "../scene/stage";
import { place, sentence } from "../state/actions";
import { choices, choose, known, live, preferences } from "../state/page";
import { placeAt, scanPoints, type TimedPlace, watchScans, withPlace } from "../state/scan";
import { useStore } from "../state/store";
import { useDark } from "./appearance";
import { Button } from "./controls";
import { useFreeArea } from "./freearea";
import { useText } from "./text";

/** The element of the stage knows it, for whoever wants to point at something on it. */
export interface StageElement extends HTMLElement {
  stage?: Stage;
}

export function StageHost() {
  const t = useText();
  const host = useRef<StageElement>(null);
  const { stage, failure } = useStage(host);
  const loading = useScene(stage);
  useFollowing(stage);
  useFreeArea(stage);
  return (
    <>
      <main class="stage" ref={host} aria-label={t("stage")} data-testid="stage" data-loaded={loading.loaded ?? undefined} />
      <Veil loading={failure === null ? loading : { ...loading, error: failure }} />
    </>
  );
}

/** three.js is most of the page's weight, so it comes after everything else is on the screen. */
function useStage(host: { current: StageElement | null }): { stage: Stage | null; failure: string | null } {
  const [stage, setStage] = useState<Stage | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    let made: Stage | null = null;
    let gone = false;
    const begin = async () => {
      const scene = await import("../scene/stage");
      if (gone || !host.current) return;
      made = new scene.Stage(host.current, {
        onSelect: (name) => choose({ selected: name }),
        onOpenLight: (name) => choose({ selected: name }),
        onPlace: place,
      });
      host.current.stage = made;
      setStage(made);
    };
    // Without WebGL there is no picture; everything else of the page works.
    begin().catch((error: unknown) => setFailure(sentence(error)));
    return () => {
      gone = true;
      made?.dispose();
    };
  }, []);
  return { stage, failure };
}

interface Loading {
  /** The world whose scene is complete on the stage. */
  loaded: string | null;
  done: number;
  total: number;
  error: string | null;
  retry(): void;
}

/** Loads the scene of the current world. The same scene is not loaded twice: a reloaded world keeps standing. */
function useScene(stage: Stage | null): Loading {
  const world = useStore(known, (what) => what.world);
  const [attempts, setAttempts] = useState(0);
  const [state, setState] = useState<Omit<Loading, "retry">>({ loaded: null, done: 0, total: 0, error: null });
  const shown = useRef("");
  useEffect(() => {
    if (!stage || !world) return;
    const leave = new AbortController();
    const load = async () => {
      const scene = await get<SceneDocument>("/scene", leave.signal);
      const version = `${scene.world} ${scene.rev}`;
      if (version === shown.current || leave.signal.aborted) return;
      shown.current = "";
      setState({ loaded: null, done: 0, total: 0, error: null });
      await stage.load(scene, fileAddress, (done, total) => {
        if (!leave.signal.aborted) setState({ loaded: null, done, total, error: null });
      });
      if (leave.signal.aborted) return;
      shown.current = version;
      setState({ loaded: world.world, done: 1, total: 1, error: null });
      const frame = live.get().frame;
      if (frame) stage.push(frame);
    };
    load().catch((error: unknown) => {
      if (!leave.signal.aborted) setState({ loaded: null, done: 0, total: 0, error: sentence(error) });
    });
    return () => leave.abort();
  }, [stage, world, attempts]);
  return { ...state, retry: () => setAttempts(attempts + 1) };
}

function fileAddress(world: string, path: string): string {
  const parts = path.split("/").map(encodeURIComponent).join("/");
  return `${API}/worlds/${encodeURIComponent(world)}/files/${parts}`;
}

function useFollowing(stage: Stage | null): void {
  const selected = useStore(choices, (state) => state.selected);
  const trajectory = useStore(choices, (state) => state.trajectory);
  const lidar = useStore(choices, (state) => state.lidar);
  const { view, grid } = useStore(preferences, (chosen) => chosen);
  const dark = useDark();
  const places = useRef<readonly TimedPlace[]>([]);
  useEffect(() => {
    if (!stage) return;
    let pushed = live.get().frame;
    return live.subscribe(() => {
      const frame = live.get().frame;
      if (frame && frame !== pushed) {
        stage.push(frame);
        if (frame.vehicle) places.current = withPlace(places.current, frame.vehicle);
      }
      pushed = frame;
    });
  }, [stage]);
  useEffect(() => stage?.select(selected), [stage, selected]);
  useEffect(() => stage?.setView(view), [stage, view]);
  useEffect(() => stage?.showGrid(grid), [stage, grid]);
  useEffect(() => stage?.setTheme(dark), [stage, dark]);
  useEffect(() => stage?.showTrajectory(trajectory ? [...trajectory] : null), [stage, trajectory]);
  useEffect(() => {
    if (!stage || !lidar) return;
    const leave = watchScans((scan) => {
      // A scan is a little older than the newest frame: it belongs to where the car was then.
      const car = placeAt(places.current, scan.time);
      if (car) stage.showScan(scanPoints(scan, car, known.get().vehicle?.lidar.offset ?? 0));
    });
    return () => {
      leave();
      stage.showScan(null);
    };
  }, [stage, lidar]);
}

/** Never an empty scene without a reason on screen. */
function Veil({ loading }: { loading: Loading }) {
  const t = useText();
  const connected = useStore(live, (state) => state.link.status === "open");
  if (loading.loaded || !connected) return null;
  return (
    <div class="glass veil" role="status" data-testid="veil">
      {loading.error ? (
        <>
          <p>{t("sceneFailed")}</p>
          <p class="muted small">{loading.error}</p>
          <Button icon="reload" label={t("retry")} onClick={loading.retry} />
        </>
      ) : (
        <>
          <p>{loading.total ? t("loadingScene", { done: loading.done, total: loading.total }) : t("loadingWorld")}</p>
          <progress aria-label={t("loadingWorld")} max={loading.total || undefined} value={loading.total ? loading.done : undefined} />
        </>
      )}
    </div>
  );
}
