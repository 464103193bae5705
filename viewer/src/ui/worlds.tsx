/** The chooser of worlds: pictures, switch, install by ID, delete. */
import { useEffect, useState } from "preact/hooks";
import { API, get, post } from "../api/client";
import type { InstallAnswer, WorldEntry, WorldsBody } from "../api/types";
import { attempt, deleteWorld, switchWorld, toast } from "../state/actions";
import { choose, live } from "../state/page";
import { useStore } from "../state/store";
import { Button, Modal } from "./controls";
import { bytes } from "./format";
import { Icon } from "./icons";
import { useText } from "./text";

export function WorldsDialog() {
  const t = useText();
  const current = useStore(live, (state) => state.frame?.current ?? null);
  const [entries, setEntries] = useState<readonly WorldEntry[]>([]);
  const [deleting, setDeleting] = useState<WorldEntry | null>(null);
  const refresh = async (): Promise<readonly WorldEntry[]> => {
    const answer = await attempt(get<WorldsBody>("/worlds"));
    if (answer) setEntries(answer.worlds);
    return answer?.worlds ?? [];
  };
  useEffect(() => void refresh(), [current]);
  const close = () => choose({ dialog: null });
  const groups = [
    { title: t("official"), worlds: entries.filter((entry) => entry.official) },
    { title: t("custom"), worlds: entries.filter((entry) => !entry.official) },
  ].filter((group) => group.worlds.length > 0);
  return (
    <Modal name="worlds" title={t("worlds")} wide onClose={close}>
      {groups.map((group) => (
        <section key={group.title} class="world-group" aria-label={group.title}>
          <h3>{group.title}</h3>
          <ul class="world-grid">
            {group.worlds.map((entry) => (
              <WorldTile key={entry.name} entry={entry} isCurrent={entry.name === current} onDelete={() => setDeleting(entry)} />
            ))}
          </ul>
        </section>
      ))}
      {deleting && (
        <div class="confirm" role="alertdialog" aria-label={t("remove")} data-testid="confirm-delete">
          <p>{t("removeSure", { name: deleting.display })}</p>
          <div class="row buttons">
            <Button label={t("cancel")} onClick={() => setDeleting(null)} />
            <Button
              kind="danger"
              icon="trash"
              label={t("remove")}
              testId="delete-sure"
              onClick={() => {
                setDeleting(null);
                void deleteWorld(deleting.name).then(refresh);
              }}
            />
          </div>
        </div>
      )}
      <InstallForm onInstalled={refresh} />
    </Modal>
  );
}

function WorldTile({ entry, isCurrent, onDelete }: { entry: WorldEntry; isCurrent: boolean; onDelete(): void }) {
  const t = useText();
  const switching = useStore(live, (state) => state.frame?.switching ?? false);
  const [broken, setBroken] = useState(false);
  return (
    <li class={`world-tile${isCurrent ? " current" : ""}`}>
      <button
        type="button"
        class="world-open"
        aria-label={t("switchTo", { name: entry.display })}
        aria-current={isCurrent ? "true" : undefined}
        disabled={switching || isCurrent || Boolean(entry.error)}
        data-testid={`world-${entry.name}`}
        onClick={() => void switchWorld(entry.file).then((answer) => answer && choose({ dialog: null }))}
      >
        {broken || !entry.picture ? (
          <span class="no-picture">{t("noPicture")}</span>
        ) : (
          <img src={`${API}/worlds/${encodeURIComponent(entry.name)}/picture.png`} alt="" loading="lazy" onError={() => setBroken(true)} />
        )}
        <span class="world-caption">
          <strong>{entry.display}</strong>
          <span class="muted small">{entry.error ?? [sizeOf(entry), entry.evaluation ? t("withEvaluation") : ""].filter(Boolean).join(" · ")}</span>
        </span>
      </button>
      {isCurrent && (
        <span class="badge">
          <Icon name="check" />
          {t("current")}
        </span>
      )}
      {entry.deletable && (
        <Button icon="trash" iconOnly kind="quiet" label={t("removeNamed", { name: entry.display })} testId={`delete-${entry.name}`} onClick={onDelete} />
      )}
    </li>
  );
}

function sizeOf(entry: WorldEntry): string {
  return entry.size ? `${entry.size[0]} × ${entry.size[1]} m` : "";
}

function InstallForm({ onInstalled }: { onInstalled(): Promise<readonly WorldEntry[]> }) {
  const t = useText();
  const [id, setId] = useState("");
  const [busy, setBusy] = useState(false);
  const wanted = id.trim().toLowerCase();
  const progress = useStore(live, (state) => state.installs[wanted] ?? null);
  const valid = /^[0-9a-f]{32}$/.test(wanted);
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    const answer = await attempt(post<InstallAnswer>("/worlds/install", { world_id: wanted }));
    setBusy(false);
    if (!answer) return;
    setId("");
    const worlds = await onInstalled();
    const display = worlds.find((world) => world.name === answer.name)?.display ?? answer.name;
    toast("done", t(answer.cached ? "installCached" : "installDone", { name: display }));
  };
  return (
    <form class="install" onSubmit={(event) => void submit(event)}>
      <label>
        <span>{t("install")}</span>
        <input
          type="text"
          class="numbers"
          value={id}
          maxLength={40}
          spellcheck={false}
          autocomplete="off"
          placeholder="0123456789abcdef0123456789abcdef"
          data-testid="install-id"
          onInput={(event) => setId(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="button primary" disabled={!valid || busy} data-testid="install">
        <Icon name="download" />
        <span>{t("installAction")}</span>
      </button>
      <p class="muted small" role="status">
        {busy && progress?.phase === "download" && t("installDownload", { size: bytes(progress.bytes) })}
        {busy && progress?.phase === "check" && t("installCheck")}
        {!busy && t("installHint")}
      </p>
      {busy && <progress aria-label={t("installAction")} max={progress?.total ?? undefined} value={progress?.total ? progress.bytes : undefined} />}
    </form>
  );
}
