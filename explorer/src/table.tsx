/** A table that one sorts, filters and chooses columns of: over the rows that are loaded, drawn as far as one scrolls. */

import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { keep, kept } from './kept.ts';
import { changed, parse, tune } from './route.ts';
import { Failed } from './ui.tsx';
import type { Failure } from './api.ts';
import { count, counted, csv, folded, save } from './words.ts';

type Value = string | number | undefined;

export interface Column<T> {
  name: string;
  /** What the column sorts by, and what a saved file has; a column without it is for pressing. */
  value?: (row: T) => Value;
  /** What the cell shows; the value if it is not given. */
  cell?: (row: T) => ComponentChildren;
  /** Whether the column is shown only to those who choose it. */
  isExtra?: boolean;
}

/** Pages of the API behind a table; `rest` asks for all that are left. */
export interface Further { total: number; more?: () => void; rest?: () => void; isMore: boolean; failure?: Failure }

/** Sorting and filtering fetch all pages of lists that are no longer than this; of longer ones the table says what is loaded. */
const FETCHED_MAX = 2000;
/** So many rows are drawn at first, and more whenever the last comes into view. */
const DRAWN = 100;

interface Order { by: string; isDown: boolean }

const byName = new Intl.Collator('en', { sensitivity: 'base' });

/** By number, largest first, or by name; what is missing comes last either way. */
function compare(one: Value, other: Value, isDown: boolean): number {
  if (one === undefined || other === undefined || one === '' || other === '') return Number(one === undefined || one === '') - Number(other === undefined || other === '');
  const order = typeof one === 'number' && typeof other === 'number' ? one - other : byName.compare(String(one), String(other));
  return isDown ? -order : order;
}

/** An order as the address has it, and as its menu says it. */
const saidOf = (order: Order | undefined): string => order ? `${order.by} ${order.isDown ? '↓' : '↑'}` : '';
const orderOf = (said: string): Order | undefined => said ? { by: said.slice(0, -2), isDown: said.endsWith('↓') } : undefined;

export function Table<T>({ id, name, one, many, columns, rows, keyOf, further, file, saved, filters }: {
  /** The name under which the choice of columns is kept. */
  id: string;
  name: string; one: string; many?: string;
  columns: readonly Column<T>[]; rows: readonly T[]; keyOf: (row: T) => string | number;
  further?: Further;
  file: string;
  /** The saved table; all columns, if it is not given. */
  saved?: (rows: readonly T[]) => string;
  filters?: ComponentChildren;
}) {
  // The address has both, so that they are there after a reload and in a link.
  const [order, setOrder] = useState(() => orderOf(parse(location.hash).params.get('by') ?? ''));
  const [wanted, setWanted] = useState(() => parse(location.hash).params.get('find') ?? '');
  useEffect(() => {
    const [route, now] = [parse(location.hash), { by: saidOf(order), find: wanted }];
    if (changed(route, now) !== changed(route, {})) tune(route, now);
  }, [order, wanted]);
  // Behind the effects of the screen, which begin its pages anew.
  useEffect(() => { if (order || wanted) setTimeout(first); }, []);
  const [off, setOff] = useState(() => new Set(kept(`columns-${id}`, columns.filter(({ isExtra }) => isExtra).map((column) => column.name))));
  const [drawn, setDrawn] = useState(DRAWN);
  const end = useRef<HTMLDivElement>(null);
  const menu = useRef<HTMLDetailsElement>(null);
  // The menu closes by Esc, and by a press beside it.
  useEffect(() => {
    const close = (event: Event) => {
      const isBeside = event instanceof KeyboardEvent ? event.key === 'Escape' : !menu.current?.contains(event.target as Node);
      if (isBeside && menu.current) menu.current.open = false;
    };
    addEventListener('pointerdown', close);
    addEventListener('keydown', close);
    return () => { removeEventListener('pointerdown', close); removeEventListener('keydown', close); };
  }, []);
  const valued = columns.filter((column) => column.value);
  const shown = columns.filter((column) => !off.has(column.name));
  const words = folded(wanted).split(' ').filter(Boolean);
  const texts = useMemo(() => words.length ? rows.map((row) => folded(valued.map(({ value }) => value!(row) ?? '').join(' '))) : [], [rows, words.length > 0]);
  const found = useMemo(() => {
    const some = rows.filter((_, at) => words.every((word) => texts[at]!.includes(word)));
    const value = order && columns.find((column) => column.name === order.by)?.value;
    if (!value) return some;
    const by = new Map(some.map((row) => [row, value(row)]));
    return some.sort((left, right) => compare(by.get(left), by.get(right), order.isDown));
  }, [rows, wanted, order]);
  const first = () => {
    setDrawn(DRAWN);
    if (further && further.total <= FETCHED_MAX && !further.isMore) further.rest?.();
  };
  useEffect(() => {
    const seen = new IntersectionObserver(([at]) => { if (at?.isIntersecting && drawn < found.length) setDrawn(drawn + DRAWN); }, { rootMargin: '600px' });
    seen.observe(end.current!);
    return () => seen.disconnect();
  }, [found.length, Math.min(drawn, found.length)]);
  /** First the way that is looked for most: the latest, the strongest, A to Z; then the other, then as it came. */
  const sort = (by: string) => {
    first();
    const value = columns.find((column) => column.name === by)!.value!;
    const some = rows.find((row) => value(row) !== undefined);
    const isFirstDown = /^\d{4}-|^\d+$/.test(String(some && value(some)));
    if (order?.by !== by) setOrder({ by, isDown: isFirstDown });
    else setOrder(order.isDown === isFirstDown ? { by, isDown: !isFirstDown } : undefined);
  };
  const choose = (column: string) => {
    const next = new Set(off);
    if (!next.delete(column)) next.add(column);
    setOff(next);
    keep(`columns-${id}`, [...next]);
  };
  const left = (further?.total ?? rows.length) - rows.length;
  // A saved file has all rows: those that are not loaded are fetched first.
  const [isSaving, setSaving] = useState(false);
  useEffect(() => {
    if (!isSaving || further?.isMore) return;
    if (left > 0 && !further?.failure && further?.rest) return further.rest();
    setSaving(false);
    if (!further?.failure) save(file, 'text/csv', saved ? saved(found) : csv([valued.map((column) => column.name), ...found.map((row) => valued.map(({ value }) => value!(row)))]));
  }, [isSaving, further?.isMore, left]);
  const isNarrowed = wanted.trim() !== '' || order !== undefined;
  return (
    <div class="sorted">
      <div class="filters">
        {filters}
        <label class="field">Filter<input type="search" dir="auto" value={wanted} onInput={(event) => { first(); setWanted(event.currentTarget.value); }} /></label>
        <label class="field order">Order
          <select value={saidOf(order)} onChange={({ currentTarget: { value } }) => { first(); setOrder(orderOf(value)); }}>
            <option value="">as it came</option>
            {valued.flatMap((column) => ['↑', '↓'].map((way) => <option key={`${column.name} ${way}`}>{`${column.name} ${way}`}</option>))}
          </select>
        </label>
        <details class="choose" ref={menu}>
          <summary>Columns</summary>
          <fieldset class="panel"><legend class="unseen">Columns that are shown</legend>
            {columns.slice(1).filter(({ value }) => value).map((column) => <label key={column.name}><input type="checkbox" checked={!off.has(column.name)} onChange={() => choose(column.name)} /> {column.name}</label>)}
          </fieldset>
        </details>
        <button type="button" class="plain" disabled={isSaving} onClick={() => setSaving(true)}>{isSaving && left > 0 ? 'Loading all…' : found.length < rows.length ? `Save these ${count(found.length)} as CSV` : 'Save as CSV'}</button>
      </div>
      <div class="table" role="region" aria-label={name} tabIndex={0}>
        <table>
          <thead><tr>
            {shown.map(({ name: title, value }) => (
              <th key={title} scope="col" aria-sort={order?.by === title ? order.isDown ? 'descending' : 'ascending' : undefined}>
                {value ? <button type="button" class="text" onClick={() => sort(title)}>{title}<span aria-hidden="true">{order?.by === title && (order.isDown ? ' ↓' : ' ↑')}</span></button> : <span class="unseen">{title}</span>}
              </th>
            ))}
          </tr></thead>
          <tbody>
            {found.slice(0, drawn).map((row) => (
              <tr key={keyOf(row)}>{shown.map((column) => <td key={column.name} data-head={column.name}>{column.cell ? column.cell(row) : <bdi>{column.value?.(row)}</bdi>}</td>)}</tr>
            ))}
          </tbody>
        </table>
      </div>
      <div ref={end} />
      <div class="more">
        <span class="soft" role="status">
          {wanted.trim() ? `${count(found.length)} of ${counted(rows.length, one, many)}` : counted(further?.total ?? rows.length, one, many)}
          {left > 0 && `, ${count(rows.length)} loaded${isNarrowed ? ': only those are sorted and filtered' : ''}`}
        </span>
        {further?.failure && <Failed failure={further.failure} />}
        {further?.more && <button type="button" class="plain" disabled={further.isMore} onClick={further.more}>{further.isMore ? 'Looking…' : 'Show more'}</button>}
        {further?.rest && <button type="button" class="plain" disabled={further.isMore} onClick={further.rest}>Load all</button>}
        <span class="soft small">A saved file stays as it is when somebody asks to be forgotten.</span>
      </div>
    </div>
  );
}
