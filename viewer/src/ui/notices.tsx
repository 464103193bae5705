/** What the page has to say by itself: the text on screen, the state of the connection, refusals. */
import { useEffect, useRef, useState } from "preact/hooks";
import { get } from "../api/client";
import type { Overlay } from "../api/types";
import { attempt, dismiss } from "../state/actions";
import { choices, live } from "../state/page";
import { useStore } from "../state/store";
import { Button } from "./controls";
import { Icon } from "./icons";
import { useText } from "./text";

/** The text that programs put on the screen. It goes away on time also when the server cannot say so. */
export function OverlayText() {
  const words = useStore(live, (state) => state.frame?.overlay ?? "");
  const size = useStore(live, (state) => state.frame?.overlay_size ?? 1);
  const seq = useStore(live, (state) => state.frame?.overlay_seq ?? 0);
  const [expired, setExpired] = useState(-1);
  useEffect(() => {
    if (!words) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let gone = false;
    void attempt(get<Overlay>("/overlay")).then((overlay) => {
      if (gone || overlay?.seq !== seq) return;
      timer = setTimeout(() => setExpired(seq), overlay.ttl_left * 1000);
    });
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [words, seq]);
  if (!words || expired === seq) return null;
  return (
    <p class="overlay-text" role="status" style={{ "--size": size }} data-testid="overlay">
      {words}
    </p>
  );
}

/** Says why nothing moves; disappears by itself. */
export function LinkBanner() {
  const t = useText();
  const link = useStore(live, (state) => state.link);
  const running = useStore(live, (state) => state.frame?.running ?? true);
  const transition = useStore(live, (state) => state.frame?.transition ?? null);
  if (link.status === "lost") {
    return <Banner kind="warning" message={link.reason ? `${link.reason} · ${t("lost")}` : t("lost")} />;
  }
  if (link.status === "connecting") return <Banner kind="waiting" message={t("connecting")} />;
  if (transition === "loading") return <Banner kind="waiting" message={t("loadingWorld")} />;
  if (transition === "switching") return <Banner kind="waiting" message={t("switchingWorld")} />;
  if (transition === "respawning") return <Banner kind="waiting" message={t("respawning")} />;
  return running ? null : <Banner kind="warning" message={t("notRunning")} />;
}

function Banner({ kind, message }: { kind: "warning" | "waiting"; message: string }) {
  return (
    <p class={`glass banner ${kind}`} role="status" data-testid="banner">
      {kind === "warning" ? <Icon name="warning" /> : <span class="spinner" aria-hidden="true" />}
      {message}
    </p>
  );
}

export function Toasts() {
  const t = useText();
  const toasts = useStore(choices, (state) => state.toasts);
  const host = useRef<HTMLDivElement>(null);
  // A window that is open would cover them: what is shown last as a popover is on top of everything.
  useEffect(() => {
    const element = host.current;
    if (element?.matches(":popover-open")) element.hidePopover();
    if (toasts.length > 0) element?.showPopover();
  }, [toasts]);
  return (
    <div class="toasts" role="alert" popover="manual" ref={host} data-testid="toasts">
      {toasts.map((toast) => (
        <div key={toast.id} class={`glass toast ${toast.kind}`}>
          <Icon name={toast.kind === "error" ? "warning" : "check"} />
          <span>{toast.message}</span>
          <Button icon="close" iconOnly kind="quiet" label={t("close")} onClick={() => dismiss(toast.id)} />
        </div>
      ))}
    </div>
  );
}
