/** Numbers as people read them. Pure. */

/** `1:02.3`, or `1:02:03` from an hour on. */
export function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  const pad = (value: number) => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  if (hours > 0) return `${hours}:${pad(minutes)}:${pad(whole % 60)}`;
  return `${minutes}:${pad(whole % 60)}.${Math.floor((seconds - whole) * 10)}`;
}

/** A record is any JSON value; numbers are by far the most common. */
export function recordValue(record: unknown): string {
  if (record === null || record === undefined) return "–";
  if (typeof record === "number") return String(Math.round(record * 1000) / 1000);
  return typeof record === "string" ? record : JSON.stringify(record);
}

export function degrees(radians: number): number {
  const value = (radians * 180) / Math.PI;
  // No minus in front of a zero.
  return Math.round(value * 10) / 10 + 0;
}

export function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}

export function metres(value: number, digits = 2): string {
  const rounded = value.toFixed(digits);
  return Number(rounded) === 0 ? (0).toFixed(digits) : rounded;
}

export function bytes(count: number): string {
  if (count < 1000) return `${count} B`;
  if (count < 1e6) return `${(count / 1000).toFixed(0)} kB`;
  return `${(count / 1e6).toFixed(1)} MB`;
}
