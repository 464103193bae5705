import { preferences } from "../state/page";
import { useStore } from "../state/store";
import { text, type TextKey } from "../texts";

export type Translate = (key: TextKey, values?: Record<string, string | number>) => string;

/** The page's texts in the chosen language. */
export function useText(): Translate {
  const language = useStore(preferences, (chosen) => chosen.language);
  return (key, values) => text(language, key, values);
}
