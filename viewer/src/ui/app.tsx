import { useEffect, useMemo } from "preact/hooks";
import { post } from "../api/client";
import { Driver } from "../drive/driver";
import { toast, sentence } from "../state/actions";
import { choices, choose, known, preferences } from "../state/page";
import { useStore } from "../state/store";
import { Board } from "./board";
import { EvaluationHud, ResultDialog, StartDialog } from "./evaluation";
import { listenToKeys } from "./keyboard";
import { LinkBanner, OverlayText, Toasts } from "./notices";
import { DrivePad, Readings } from "./readings";
import { RobotCamera } from "./robotcamera";
import { SelectionCard } from "./selection";
import { SidePanel } from "./sidepanel";
import { useText } from "./text";
import { TopBar } from "./topbar";
import { WorldsDialog } from "./worlds";

export function App() {
  const t = useText();
  const driver = useMemo(makeDriver, []);
  useEffect(() => listenToKeys(driver), [driver]);
  useAppearance();
  const dialog = useStore(choices, (state) => state.dialog);
  return (
    <>
      <main class="stage" id="stage" aria-label={t("stage")} />
      <OverlayText />
      <div class="frame">
        <TopBar />
        <div class="middle">
          <LinkBanner />
          <EvaluationHud />
          <SelectionCard />
          <Board onTrajectory={() => undefined} />
        </div>
        <SidePanel />
        <div class="bottom">
          <Readings />
          <DrivePad driver={driver} />
          <RobotCamera />
        </div>
        <Toasts />
      </div>
      {dialog === "worlds" && <WorldsDialog />}
      {dialog === "start" && <StartDialog />}
      {dialog === "result" && <ResultDialog />}
    </>
  );
}

function makeDriver(): Driver {
  return new Driver({
    send: async (command) => {
      // A refusal here repeats ten times a second; the toast shows it once.
      await post("/drive", command).catch((error: unknown) => toast("error", sentence(error)));
    },
    limits: () => ({ speed: preferences.get().driveSpeed, steering: known.get().vehicle?.max_steer ?? 0.4 }),
    onChange: (held) => choose({ held }),
  });
}

/** Language and colours of the whole document. */
function useAppearance(): void {
  const t = useText();
  const { theme, language } = useStore(preferences, (chosen) => chosen);
  useEffect(() => {
    const root = document.documentElement;
    root.lang = language;
    if (theme === "auto") delete root.dataset.theme;
    else root.dataset.theme = theme;
    document.title = t("title");
  }, [theme, language]);
}
