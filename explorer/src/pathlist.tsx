/** Introductions as a list: one row each, the chosen one unfolded. */

import { useEffect, useRef } from 'preact/hooks';
import { marksOf } from './asked.tsx';
import { Untie } from './doubles.tsx';
import { link } from './route.ts';
import { Face, Name, Reasons, Warm } from './ui.tsx';
import type { PathType, WarmPath } from './types.ts';
import { chain, count, isGuess, TYPE_MEANINGS, TYPE_WORDS, unfolded } from './words.ts';
import type { Target } from './words.ts';

export interface Row { key: number; path: WarmPath; target: Target }

/** The row a key moves to, or `undefined` if the key is no move. */
function moved(key: string, at: number, last: number): number | undefined {
  switch (key) {
    case 'ArrowDown': return Math.min(at + 1, last);
    case 'ArrowUp': return Math.max(at - 1, 0);
    case 'Home': return 0;
    case 'End': return last;
    default: return undefined;
  }
}

export function PathList({ rows, byType, lit, selected, onLight, onSelect, onAsk, withTarget }: {
  rows: readonly Row[]; byType: boolean; lit?: number; selected?: number; withTarget: boolean;
  onLight: (key: number | undefined) => void; onSelect: (key: number | undefined) => void; onAsk: (row: Row) => void;
}) {
  const list = useRef<HTMLDivElement>(null);
  const onKey = (event: KeyboardEvent) => {
    const buttons = [...list.current!.querySelectorAll<HTMLButtonElement>('button[data-row]')];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const to = at < 0 ? undefined : moved(event.key, at, buttons.length - 1);
    if (to === undefined) return;
    event.preventDefault();
    buttons[to]!.focus();
  };
  const groups: { type?: PathType; rows: Row[] }[] = [];
  for (const row of rows) {
    const type = byType ? row.path.connectionType : undefined;
    const last = groups.at(-1);
    if (last && last.type === type) last.rows.push(row);
    else groups.push({ type, rows: [row] });
  }
  return (
    <div class="paths" ref={list} onKeyDown={onKey}>
      {groups.map((group) => (
        <section key={group.type ?? ''}>
          {group.type && <h2 class="tier">{TYPE_WORDS[group.type]} <small>{TYPE_MEANINGS[group.type]}</small></h2>}
          <ol start={group.rows[0]!.key + 1}>
            {group.rows.map((row) => (
              <PathRow key={row.key} row={row} isLit={lit === row.key} isOpen={selected === row.key} withType={!byType}
                withTarget={withTarget} onLight={onLight} onSelect={onSelect} onAsk={onAsk} />
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

function PathRow({ row, isLit, isOpen, withType, withTarget, onLight, onSelect, onAsk }: {
  row: Row; isLit: boolean; isOpen: boolean; withType: boolean; withTarget: boolean;
  onLight: (key: number | undefined) => void; onSelect: (key: number | undefined) => void; onAsk: (row: Row) => void;
}) {
  const { key, path, target } = row;
  const { steps, legs } = unfolded(path, target);
  const reason = legs[0]?.signals[0];
  const said = withTarget ? steps : steps.slice(0, -1);
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => { if (isOpen && key > 0) item.current?.scrollIntoView({ block: 'nearest' }); }, [isOpen]);
  return (
    <li ref={item} class={isLit ? 'lit' : isOpen ? 'open' : ''} onMouseEnter={() => onLight(key)} onMouseLeave={() => onLight(undefined)}>
      <button type="button" data-row aria-expanded={isOpen} aria-controls={`path-${key}`}
        onFocus={() => onLight(key)} onBlur={() => onLight(undefined)} onClick={() => onSelect(isOpen ? undefined : key)}>
        <Face name={said[0]!.name} />
        <span class="chain">
          {said.map((step, at) => <span key={at}>{at > 0 && <i aria-label="to"> → </i>}<Name of={step.name} /></span>)}
          {withType && <small class="soft">{TYPE_WORDS[path.connectionType]}</small>}
          {marksOf(path) && <small class="soft">{marksOf(path)}</small>}
          {reason && !isOpen && <small class="soft"><bdi>{reason}</bdi></small>}
          {!!path.alternatives && <small class="soft">and {count(path.alternatives)} more behind this one</small>}
        </span>
        <Warm score={path.warmness} />
      </button>
      <div id={`path-${key}`} hidden={!isOpen}>
        {isOpen && <Unfolded row={row} onAsk={onAsk} />}
      </div>
    </li>
  );
}

function Unfolded({ row, onAsk }: { row: Row; onAsk: (row: Row) => void }) {
  const { path, target } = row;
  const { steps, legs } = unfolded(path, target);
  return (
    <div class="unfolded">
      <ol class="steps" aria-label={chain(steps)}>
        {steps.map((step, at) => (
          <li key={at}>
            <span class="who">
              {step.column === 0 ? <b><Name of={step.name} /></b> : <a href={link('person', step.id)}><Name of={step.name} /></a>}
              {step.note && <span class="soft"><bdi>{step.note}</bdi></span>}
            </span>
            {legs[at] && (
              <div class="leg">
                <Warm score={legs[at]!.warmness} />
                {legs[at]!.label && <span class="soft"> {legs[at]!.label}</span>}
                <Reasons signals={legs[at]!.signals} breakdown={legs[at]!.breakdown} evidence={legs[at]!.evidence} />
                {isGuess(legs[at]!) && <Untie a={step.id} b={steps[at + 1]!.id} />}
              </div>
            )}
          </li>
        ))}
      </ol>
      <div class="buttons"><button type="button" class="main" onClick={() => onAsk(row)}>Ask for the introduction</button></div>
    </div>
  );
}
