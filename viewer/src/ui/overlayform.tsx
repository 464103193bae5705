/** Puts a text on the screen of everybody who looks at this simulator. */
import { useState } from "preact/hooks";
import { showOverlay } from "../state/actions";
import { live } from "../state/page";
import { useStore } from "../state/store";
import { Button, Section } from "./controls";
import { useText } from "./text";

export function OverlaySection() {
  const t = useText();
  const [words, setWords] = useState("");
  const [size, setSize] = useState(1);
  const [ttl, setTtl] = useState(10);
  const shown = useStore(live, (state) => (state.frame?.overlay ?? "") !== "");
  return (
    <Section title={t("overlay")}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void showOverlay({ text: words, ttl, size });
        }}
      >
        <input
          type="text"
          maxLength={300}
          placeholder={t("overlayText")}
          aria-label={t("overlayText")}
          data-testid="overlay-text"
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
        <div class="row fields">
          <label>
            <span>{t("overlaySize")}</span>
            <input
              type="number"
              min={0.5}
              max={4}
              step={0.5}
              value={size}
              data-testid="overlay-size"
              onInput={(event) => setSize(event.currentTarget.valueAsNumber)}
            />
          </label>
          <label>
            <span>{t("overlaySeconds")}</span>
            <input
              type="number"
              min={1}
              max={3600}
              value={ttl}
              data-testid="overlay-seconds"
              onInput={(event) => setTtl(event.currentTarget.valueAsNumber)}
            />
          </label>
          <button type="submit" class="button plain" disabled={words.trim() === ""} data-testid="overlay-show">
            <span>{t("overlayShow")}</span>
          </button>
          <Button
            icon="close"
            iconOnly
            label={t("overlayClear")}
            disabled={!shown}
            testId="overlay-clear"
            onClick={() => void showOverlay({ text: "" })}
          />
        </div>
      </form>
    </Section>
  );
}
