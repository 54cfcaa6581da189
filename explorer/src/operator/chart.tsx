/** A small line of what a figure was since the page was opened. */

const [WIDTH, HEIGHT] = [220, 44];

/** `values` from left to right, `undefined` if there was none; the line begins at nought and ends at the largest. */
export function Chart({ values, said }: { values: readonly (number | undefined)[]; said: string }) {
  const most = Math.max(...values.map((value) => value ?? 0), 0) || 1;
  const step = WIDTH / Math.max(1, values.length - 1);
  const place = (value: number, at: number) => `${(at * step).toFixed(1)} ${(HEIGHT - 2 - (HEIGHT - 6) * value / most).toFixed(1)}`;
  let line = '';
  let isDrawing = false;
  values.forEach((value, at) => {
    if (value !== undefined) line += `${isDrawing ? 'L' : 'M'}${place(value, at)}`;
    isDrawing = value !== undefined;
  });
  const last = values.length - 1;
  const end = values[last];
  return (
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={said} preserveAspectRatio="none">
      <path class="ground" d={`M0 ${HEIGHT - 2}H${WIDTH}`} />
      {values.length > 1 && <path class="line" d={line} />}
      {end !== undefined && values.length > 1 && <path class="line" d={`M${place(end, last)}h0`} />}
    </svg>
  );
}
