/** Language and colours of the whole document. */
import { useEffect, useState } from "preact/hooks";
import { preferences } from "../state/page";
import { useStore } from "../state/store";
import { useText } from "./text";

export function useAppearance(): void {
  const t = useText();
  const { theme, language } = useStore(preferences, (chosen) => chosen);
  useEffect(() => {
    const root = document.documentElement;
    root.lang = language;
    if (theme === "auto") delete root.dataset.theme;
    else root.dataset.theme = theme;
    document.title = t("title");
  }, [theme, language]);
  useEffect(() => {
    if (drawnBySoftware()) document.documentElement.dataset.plain = "";
  }, []);
}

const SYSTEM_DARK = "(prefers-color-scheme: dark)";

/** Whether the page is dark now, by choice or by the system. */
export function useDark(): boolean {
  const theme = useStore(preferences, (chosen) => chosen.theme);
  const [system, setSystem] = useState(() => matchMedia(SYSTEM_DARK).matches);
  useEffect(() => {
    const media = matchMedia(SYSTEM_DARK);
    const look = () => setSystem(media.matches);
    media.addEventListener("change", look);
    return () => media.removeEventListener("change", look);
  }, []);
  return theme === "auto" ? system : theme === "dark";
}

/** Without a graphics card every blur behind a panel is paid for by the processor, with each picture. */
function drawnBySoftware(): boolean {
  const gl = document.createElement("canvas").getContext("webgl");
  if (!gl) return true;
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const renderer = String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(renderer);
}
