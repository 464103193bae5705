import { render } from "preact";
import { follow, live } from "./state/page";
import { useStore } from "./state/store";

function Page() {
  const status = useStore(live, (state) => state.link.status);
  const world = useStore(live, (state) => state.frame?.current ?? null);
  const time = useStore(live, (state) => state.frame?.time.toFixed(1) ?? "");
  return (
    <main>
      <p role="status">{status === "open" ? `${world ?? "no world"} · ${time} s` : `events: ${status}`}</p>
    </main>
  );
}

const host = document.getElementById("app");
if (host) render(<Page />, host);
follow();
