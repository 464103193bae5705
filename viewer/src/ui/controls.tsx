/** The few controls that everything else is made of. Each has a name for screen readers. */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { Icon, type IconName } from "./icons";
import { useText } from "./text";

interface ButtonProps {
  icon?: IconName;
  label: string;
  onClick(): void;
  /** Only the icon is drawn; the label is read out and shown as a hint. */
  iconOnly?: boolean;
  kind?: "plain" | "primary" | "danger" | "quiet";
  pressed?: boolean;
  disabled?: boolean;
  hint?: string;
  testId?: string;
}

export function Button(props: ButtonProps) {
  const { icon, label, iconOnly, kind = "plain", pressed, disabled, hint } = props;
  return (
    <button
      type="button"
      class={`button ${kind}${iconOnly ? " icon-only" : ""}`}
      title={hint ?? (iconOnly ? label : undefined)}
      aria-label={iconOnly ? label : undefined}
      aria-pressed={pressed}
      disabled={disabled}
      data-testid={props.testId}
      onClick={props.onClick}
    >
      {icon && <Icon name={icon} />}
      {!iconOnly && <span>{label}</span>}
    </button>
  );
}

interface SegmentedProps<T extends string> {
  label: string;
  value: T;
  options: readonly { value: T; label: string; icon: IconName }[];
  onChange(value: T): void;
}

export function Segmented<T extends string>({ label, value, options, onChange }: SegmentedProps<T>) {
  const group = useId();
  return (
    <div class="segmented" role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label key={option.value} title={option.label}>
          <input
            type="radio"
            name={group}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <Icon name={option.icon} />
          <span>{option.label}</span>
        </label>
      ))}
    </div>
  );
}

interface SliderProps {
  label: string;
  value: number;
  min: number;
  max: number;
  step: number;
  shown: string;
  onInput(value: number): void;
}

export function Slider({ label, value, min, max, step, shown, onInput }: SliderProps) {
  const filled = `${((value - min) / (max - min)) * 100}%`;
  return (
    <label class="slider">
      <span class="row">
        <span>{label}</span>
        <output>{shown}</output>
      </span>
      <input
        type="range"
        min={min}
        max={max}
        step={step}
        value={value}
        style={{ "--filled": filled }}
        onInput={(event) => onInput(event.currentTarget.valueAsNumber)}
      />
    </label>
  );
}

/** A window over the page. Escape, the cross and a click beside it close it. */
export function Modal(props: { title: string; onClose(): void; children: ComponentChildren; wide?: boolean; name: string }) {
  const t = useText();
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      class={`modal${props.wide ? " wide" : ""}`}
      aria-label={props.title}
      data-testid={`dialog-${props.name}`}
      onCancel={(event) => {
        event.preventDefault();
        props.onClose();
      }}
      onClick={(event) => {
        if (event.target === ref.current) props.onClose();
      }}
    >
      <div class="modal-body">
        <header class="row">
          <h2>{props.title}</h2>
          <Button icon="close" iconOnly kind="quiet" label={t("close")} onClick={props.onClose} />
        </header>
        {props.children}
      </div>
    </dialog>
  );
}

export function Section({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="section" aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}
