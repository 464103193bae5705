import type { Sample } from "../api/records";

/** The paths of a plot. Long runs are thinned out to what the width can show. */
export function plotted(samples: readonly Sample[], width: number, height: number) {
  const first = samples[0]?.t ?? 0;
  const seconds = Math.max(0.001, (samples.at(-1)?.t ?? 0) - first);
  const fastest = Math.max(0.1, ...samples.map((sample) => Math.abs(sample.speed)));
  const step = Math.max(1, Math.ceil(samples.length / width));
  const points = samples
    .filter((_, i) => i % step === 0 || i === samples.length - 1)
    .map(({ t, speed }) => {
      const x = ((t - first) / seconds) * width;
      const y = height - 2 - (Math.abs(speed) / fastest) * (height - 6);
      return `${x.toFixed(1)} ${y.toFixed(1)}`;
    });
  const line = points.length ? `M${points.join("L")}` : "";
  return { line, area: line ? `${line}L${width} ${height}L0 ${height}Z` : "", fastest, seconds };
}
