/** What the robot sees, live. The stream is open only while this is shown and somebody can see the page. */
import { useEffect, useRef, useState } from "preact/hooks";
import { API } from "../api/client";
import { choices, choose, live } from "../state/page";
import { useStore } from "../state/store";
import { Button } from "./controls";
import { useText } from "./text";

/** A picture of nothing: giving it to an image ends the request that the image has open. */
const NOTHING = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==";

const RETRY_MS = 1000;

export function RobotCamera() {
  const shown = useStore(choices, (state) => state.camera);
  return shown ? <Picture /> : null;
}

function Picture() {
  const t = useText();
  const image = useRef<HTMLImageElement>(null);
  const open = useStore(live, (state) => state.link.status === "open" && (state.frame?.running ?? false));
  const [visible, setVisible] = useState(!document.hidden);
  useEffect(() => {
    const look = () => setVisible(!document.hidden);
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
  useEffect(() => {
    const element = image.current;
    if (!element || !open || !visible) return;
    let again: ReturnType<typeof setTimeout> | undefined;
    const begin = () => {
      element.src = `${API}/camera?stream=true`;
    };
    // A stream that ends, or a camera that has no picture yet: it is asked again.
    element.onerror = () => {
      element.src = NOTHING;
      again = setTimeout(begin, RETRY_MS);
    };
    begin();
    return () => {
      clearTimeout(again);
      element.onerror = null;
      element.src = NOTHING;
    };
  }, [open, visible]);
  return (
    <figure class="glass robot-camera" data-testid="camera">
      <img ref={image} alt={t("robotCamera")} src={NOTHING} />
      <figcaption>
        <span>{t("robotCamera")}</span>
        <Button icon="close" iconOnly kind="quiet" label={t("close")} onClick={() => choose({ camera: false })} />
      </figcaption>
    </figure>
  );
}
