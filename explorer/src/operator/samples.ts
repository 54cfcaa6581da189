/** What `/metrics` answers, as numbers: one reading after the other, and what came between two. */

export interface Sample { name: string; labels: Record<string, string>; value: number }

/** A reading of all series; `at` is in milliseconds. */
export interface Reading { at: number; samples: Sample[] }

const LINE = /^([A-Za-z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([A-Za-z_]\w*)="((?:[^"\\]|\\.)*)"/g;

const unescaped = (text: string): string => text.replace(/\\(.)/g, (_, letter: string) => letter === 'n' ? '\n' : letter);

/** Reads the text form of Prometheus; lines of any other form are passed over. */
export function parse(text: string): Sample[] {
  return text.split('\n').flatMap((line) => {
    const found = line.startsWith('#') ? null : LINE.exec(line);
    if (!found) return [];
    const labels = Object.fromEntries([...(found[2] ?? '').matchAll(LABEL)].map(([, key, value]) => [key!, unescaped(value!)]));
    const value = found[3] === '+Inf' ? Infinity : Number(found[3]);
    return Number.isNaN(value) ? [] : [{ name: found[1]!, labels, value }];
  });
}

type Fits = (labels: Record<string, string>) => boolean;
const everything: Fits = () => true;

/** The sum of a series, over those whose labels fit; `undefined` if there is none. */
export function sum(reading: Reading | undefined, name: string, fits: Fits = everything): number | undefined {
  const all = reading?.samples.filter((sample) => sample.name === name && fits(sample.labels)) ?? [];
  return all.length ? all.reduce((total, sample) => total + sample.value, 0) : undefined;
}

/** How much a counter grew from `before` to `after`, or since the start if there is no reading before, or the process is another. */
export function growth(before: Reading | undefined, after: Reading, name: string, fits?: Fits): number {
  const now = sum(after, name, fits) ?? 0;
  const then = sum(before, name, fits) ?? 0;
  return now < then ? now : now - then;
}

/** The values of a label, each once, in the order of the answer. */
export function labelled(reading: Reading, name: string, label: string): string[] {
  return [...new Set(reading.samples.filter((sample) => sample.name === name).map((sample) => sample.labels[label] ?? ''))];
}

/**
 * Seconds within which the share `q` of the requests between two readings were answered, from the buckets of the histogram
 * `name`: within a bucket as if they were spread evenly. `undefined` if there was no request.
 */
export function quantile(q: number, before: Reading | undefined, after: Reading, name: string, fits: Fits = everything): number | undefined {
  const ends = [...new Set(after.samples.filter((sample) => sample.name === `${name}_bucket`).map((sample) => Number(sample.labels['le'] === '+Inf' ? Infinity : sample.labels['le'])))].sort((a, b) => a - b);
  const upTo = (end: number) => growth(before, after, `${name}_bucket`, (labels) => fits(labels) && Number(labels['le'] === '+Inf' ? Infinity : labels['le']) === end);
  const all = ends.length ? upTo(ends.at(-1)!) : 0;
  if (!all) return undefined;
  let [from, below] = [0, 0];
  for (const end of ends) {
    const within = upTo(end);
    if (within >= q * all) {
      return Number.isFinite(end) ? Math.min(end, from + (end - from) * (q * all - below) / Math.max(1, within - below)) : from;
    }
    [from, below] = [Number.isFinite(end) ? end : from, within];
  }
  return from;
}
