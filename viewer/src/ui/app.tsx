import { useEffect, useMemo } from "preact/hooks";
import { post } from "../api/client";
import { Driver } from "../drive/driver";
import { toast, sentence } from "../state/actions";
import { choices, choose, known, preferences } from "../state/page";
import { useStore } from "../state/store";
import { useAppearance } from "./appearance";
import { Board } from "./board";
import { EvaluationHud, ResultDialog, StartDialog } from "./evaluation";
import { listenToKeys } from "./keyboard";
import { LinkBanner, OverlayText, Toasts } from "./notices";
import { DrivePad, Readings } from "./readings";
import { RobotCamera } from "./robotcamera";
import { SelectionCard } from "./selection";
import { SidePanel } from "./sidepanel";
import { StageHost } from "./stagehost";
import { TopBar } from "./topbar";
import { WorldsDialog } from "./worlds";

export function App() {
  const driver = useMemo(makeDriver, []);
  useEffect(() => listenToKeys(driver), [driver]);
  useAppearance();
  const dialog = useStore(choices, (state) => state.dialog);
  return (
    <>
      <StageHost />
      <OverlayText />
      <div class="frame">
        <TopBar />
        <div class="middle">
          <LinkBanner />
          <EvaluationHud />
          <div class="cards">
            <SelectionCard />
            <Board />
          </div>
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
