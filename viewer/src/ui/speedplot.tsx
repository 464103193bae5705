import type { Sample } from "../api/records";
import { plotted } from "./plot";
import { useText } from "./text";

const WIDTH = 320;
const HEIGHT = 84;

/** Speed over time, as one line with a soft ground. */
export function SpeedPlot({ samples }: { samples: readonly Sample[] }) {
  const t = useText();
  const { line, area, fastest, seconds } = plotted(samples, WIDTH, HEIGHT);
  return (
    <>
      <svg
        class="speedplot"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t("speedPlot", { max: fastest.toFixed(2), seconds: seconds.toFixed(1) })}
        data-testid="speedplot"
      >
        <path class="area" d={area} />
        <path class="curve" d={line} vector-effect="non-scaling-stroke" />
      </svg>
      <p class="row muted small numbers plot-ends" aria-hidden="true">
        <span>{t("fastest", { max: fastest.toFixed(2) })}</span>
        <span>{seconds.toFixed(1)} s</span>
      </p>
    </>
  );
}
