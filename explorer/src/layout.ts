/**
 * Where the boxes and lines of the picture go: a pure function of the paths.
 *
 * People stand in columns (member, advocate, contact, target), columns without anybody are left out. A line
 * that skips a column passes it at a place of its own, so that it runs behind no box.
 */

import type { Step } from './words.ts';

export interface Drawn {
  key: number; steps: readonly Step[]; warmth: readonly number[]; guesses?: readonly boolean[];
  /** What is written at each leg, if there is room: between two columns. */
  words?: readonly string[];
}

export interface Box {
  key: string; id: string; column: number; name: string; note: string;
  x: number; y: number; paths: Set<number>;
}
export interface Line { key: string; warmth: number; isGuess: boolean; d: string; paths: Set<number>; said?: { text: string; x: number; y: number } }
export interface Heading { column: number; x: number }
export interface Layout {
  width: number; height: number;
  /** The width of a box: the fewer columns, the wider. */
  boxWidth: number;
  boxes: Box[]; lines: Line[]; headings: Heading[];
  /** The keys of the paths that are drawn, in the order given. */
  drawn: number[];
}

export const BOX = { height: 46 } as const;
const GAP = { rows: 12, top: 26, pass: 12 } as const;
/** The width of a box and of the gap beside it, by the number of columns: all of them fill the same room. */
const ROOM = (columns: number): { box: number; gap: number } =>
  columns <= 2 ? { box: 250, gap: 180 } : columns === 3 ? { box: 190, gap: 90 } : { box: 158, gap: 62 };
/** More boxes than these in one column are no picture any more. */
export const BOXES_MAX = 12;
const SWEEPS = 4;

/** A box, or the place where a line passes a column. */
interface Place { key: string; box?: Box; before: Set<Place>; after: Set<Place>; order: number; y: number; height: number }

/** The first paths that fit, `must` among them. */
function fitting(paths: readonly Drawn[], must: number | undefined, most: number): Drawn[] {
  const seen = new Map<number, Set<string>>();
  const fits = (path: Drawn) => path.steps.every((step) => {
    const column = seen.get(step.column);
    return !column || column.has(step.id) || column.size < most;
  });
  const kept = new Set<Drawn>();
  const inTurn = [...paths.filter((path) => path.key === must), ...paths];
  for (const path of inTurn) {
    if (kept.has(path) || !fits(path)) continue;
    kept.add(path);
    for (const step of path.steps) seen.set(step.column, (seen.get(step.column) ?? new Set()).add(step.id));
  }
  return paths.filter((path) => kept.has(path));
}

export function layout(paths: readonly Drawn[], must?: number, most = BOXES_MAX): Layout {
  const kept = fitting(paths, must, most);
  const used = [...new Set(kept.flatMap((path) => path.steps.map((step) => step.column)))].sort((a, b) => a - b);
  const rank = new Map(used.map((column, at) => [column, at]));
  const columns: Place[][] = used.map(() => []);
  const places = new Map<string, Place>();
  const lines = new Map<string, { warmth: number; isGuess: boolean; word?: string; paths: Set<number>; route: Place[] }>();
  const { box: boxWidth, gap } = ROOM(used.length);
  const left = (at: number): number => at * (boxWidth + gap);

  const place = (key: string, at: number, box?: Box): Place => {
    let found = places.get(key);
    if (!found) {
      const height = box ? BOX.height : GAP.pass;
      found = { key, box, before: new Set(), after: new Set(), order: columns[at]!.length, y: 0, height };
      places.set(key, found);
      columns[at]!.push(found);
    }
    return found;
  };

  for (const path of kept) {
    const stops = path.steps.map((step) => {
      const at = rank.get(step.column)!;
      const key = `${step.column} ${step.id}`;
      const box: Box = { key, id: step.id, column: step.column, name: step.name, note: step.note, x: 0, y: 0, paths: new Set() };
      const found = place(key, at, box);
      found.box!.paths.add(path.key);
      return { at, found };
    });
    for (let leg = 0; leg + 1 < stops.length; leg++) {
      const [from, to] = [stops[leg]!, stops[leg + 1]!];
      const key = `${from.found.key} > ${to.found.key}`;
      let line = lines.get(key);
      if (!line) {
        const route = [from.found];
        for (let at = from.at + 1; at < to.at; at++) route.push(place(`${key} @ ${at}`, at));
        route.push(to.found);
        for (let stop = 0; stop + 1 < route.length; stop++) {
          route[stop]!.after.add(route[stop + 1]!);
          route[stop + 1]!.before.add(route[stop]!);
        }
        line = { warmth: path.warmth[leg] ?? 0, isGuess: path.guesses?.[leg] ?? false, word: path.words?.[leg], paths: new Set(), route };
        lines.set(key, line);
      }
      line.paths.add(path.key);
    }
  }

  arrange(columns);
  const height = stack(columns);
  columns.forEach((column, at) => {
    for (const { box, y } of column) if (box) Object.assign(box, { x: left(at), y });
  });
  const at = new Map(columns.flatMap((column, index) => column.map((one) => [one, index] as const)));
  return {
    width: used.length ? left(used.length - 1) + boxWidth : 0,
    height,
    boxWidth,
    boxes: columns.flat().flatMap(({ box }) => box ?? []),
    lines: [...lines].map(([key, { warmth, isGuess, word, paths: of, route }]) => ({
      key, warmth, isGuess, paths: of, d: curve(route, (one) => left(at.get(one)!), boxWidth),
      said: word && used.length <= 2 ? { text: word, x: boxWidth + 8, y: middle(route[0]!) - 7 } : undefined,
    })),
    headings: used.map((column, index) => ({ column, x: left(index) })),
    drawn: kept.map((path) => path.key),
  };
}

const middle = (one: Place): number => one.y + one.height / 2;

/** The members stay in the order of their paths; the others go where their neighbours are. */
function arrange(columns: Place[][]): void {
  const settle = (column: Place[], side: 'before' | 'after') => {
    const mean = (one: Place) => {
      const near = [...one[side]];
      return near.length ? near.reduce((sum, other) => sum + other.order, 0) / near.length : one.order;
    };
    const wanted = new Map(column.map((one) => [one, mean(one)]));
    column.sort((a, b) => wanted.get(a)! - wanted.get(b)! || a.order - b.order);
    column.forEach((one, order) => { one.order = order; });
  };
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    columns.slice(1).forEach((column) => settle(column, 'before'));
    if (sweep + 1 < SWEEPS) columns.slice(1, -1).reverse().forEach((column) => settle(column, 'after'));
  }
}

/** Gives each place its height, columns centred beside each other; returns the height of all. */
function stack(columns: Place[][]): number {
  const tall = (column: Place[]) => column.reduce((sum, one) => sum + one.height + GAP.rows, -GAP.rows);
  const highest = Math.max(0, ...columns.map(tall));
  for (const column of columns) {
    let y = GAP.top + (highest - tall(column)) / 2;
    for (const one of column) {
      one.y = y;
      y += one.height + GAP.rows;
    }
  }
  return columns.length ? GAP.top + highest : 0;
}

/** From the right side of the first box to the left side of the last, straight through the columns between. */
function curve(route: Place[], left: (one: Place) => number, boxWidth: number): string {
  const right = (one: Place) => left(one) + boxWidth;
  let d = `M${right(route[0]!)} ${middle(route[0]!)}`;
  for (let stop = 1; stop < route.length; stop++) {
    const [from, to] = [route[stop - 1]!, route[stop]!];
    const [x, end] = [right(from), left(to)];
    const bend = (x + end) / 2;
    d += `C${bend} ${middle(from)} ${bend} ${middle(to)} ${end} ${middle(to)}`;
    if (!to.box) d += `H${right(to)}`;
  }
  return d;
}
