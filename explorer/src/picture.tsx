/** The introductions as a picture; the list beside it holds all that it shows. */

import { useMemo, useRef } from 'preact/hooks';
import { BOX, layout } from './layout.ts';
import type { Drawn } from './layout.ts';
import { COLUMNS, count, counted, fileName, fitted, save } from './words.ts';

/** What a column says of everybody in it is not said again in each box. */
const noteOf = (box: { note: string; column: number }): string => box.note === COLUMNS[box.column] ? '' : box.note;

/** What a box keeps free at its sides, in pixels, and how its lines are set. */
const FREE = 16;
const SET = { name: '600 13px', note: '11px' } as const;

/** A line's thickness by its warmness, 0 to 100. */
const thickness = (warmth: number): number => 1.5 + (Math.min(100, Math.max(0, warmth)) / 100) * 6.5;

export function Picture({ paths, total, lit, selected, onLight, onPick, about }: {
  paths: readonly Drawn[]; total: number; lit?: number; selected?: number;
  onLight: (path: number | undefined) => void; onPick: (path: number) => void; about: string;
}) {
  const drawing = useRef<SVGSVGElement>(null);
  const laid = useMemo(() => layout(paths, selected), [paths, selected]);
  if (!laid.boxes.length) return null;
  const shown = lit !== undefined && laid.drawn.includes(lit) ? lit : selected;
  const twins = new Set(laid.boxes.filter((box) => shown !== undefined && box.paths.has(shown)).map((box) => box.id));
  const state = (of: Set<number>, id?: string) => {
    if (shown === undefined || of.has(shown)) return 'lit';
    return id && twins.has(id) ? 'twin' : 'dim';
  };
  const first = (of: Set<number>) => laid.drawn.find((path) => of.has(path))!;
  const pointed = (of: Set<number>) => ({
    onMouseEnter: () => onLight(shown !== undefined && of.has(shown) ? shown : first(of)),
    onMouseLeave: () => onLight(undefined),
    onClick: () => onPick(shown !== undefined && of.has(shown) ? shown : first(of)),
  });
  const hidden = total - laid.drawn.length;
  const sentence = `${counted(laid.drawn.length, 'introduction')} to ${about}, from left to right; the list holds the same.`;
  const inOrder = [...laid.lines].sort((a, b) => Number(state(a.paths) === 'lit') - Number(state(b.paths) === 'lit'));
  return (
    <figure class="picture">
      <svg ref={drawing} role="img" aria-label={sentence} viewBox={`-2 -2 ${laid.width + 4} ${laid.height + 4}`}
        width={laid.width + 4} height={laid.height + 4}>
        {laid.headings.map(({ column, x }) => <text key={column} class="column" x={x + laid.boxWidth / 2} y="10">{COLUMNS[column]}</text>)}
        {inOrder.map((line) => (
          <path key={line.key} class={`edge ${state(line.paths)}${line.isGuess ? ' guess' : ''}`} d={line.d} stroke-width={thickness(line.warmth)} {...pointed(line.paths)}>
            <title>{`${line.isGuess ? 'Probably know each other. ' : ''}Warmness ${count(line.warmth)}`}</title>
          </path>
        ))}
        {inOrder.map((line) => line.said && <text key={line.key} class={`said ${state(line.paths)}`} x={line.said.x} y={line.said.y}>{line.said.text}</text>)}
        {laid.boxes.map((box) => (
          <g key={box.key} class={`box ${state(box.paths, box.id)}`} {...pointed(box.paths)}>
            <title>{noteOf(box) ? `${box.name}, ${box.note}` : box.name}</title>
            <rect x={box.x} y={box.y} width={laid.boxWidth} height={BOX.height} rx="8" />
            <text class="name" x={box.x + laid.boxWidth / 2} y={box.y + (noteOf(box) ? 20 : 27)}>{fitted(box.name, laid.boxWidth - FREE, SET.name)}</text>
            {noteOf(box) && <text class="note" x={box.x + laid.boxWidth / 2} y={box.y + 36}>{fitted(box.note, laid.boxWidth - FREE, SET.note)}</text>}
          </g>
        ))}
      </svg>
      <figcaption class="soft">
        <span>
          {hidden > 0 ? `${count(laid.drawn.length)} are drawn, and ${count(hidden)} more are in the list. ` : ''}
          The thicker a line, the warmer{laid.lines.some((line) => line.isGuess) && '; dashed, where two probably know each other'}.
        </span>
        <span class="out">
          <button type="button" onClick={() => save(fileName(about, 'svg'), 'image/svg+xml', standalone(drawing.current!))}>SVG</button>
          <button type="button" onClick={() => void png(drawing.current!, fileName(about, 'png'))}>PNG</button>
        </span>
      </figcaption>
    </figure>
  );
}

/** The styles that a picture needs outside the page, always light. */
const STYLE = 'text{font-family:system-ui,sans-serif;text-anchor:middle;unicode-bidi:plaintext;fill:#22252b}'
  + '.name{font-size:13px;font-weight:600}.said{text-anchor:start}.said,.note,.column{font-size:11px;fill:#5c636e}'
  + '.box rect{fill:#fff;stroke:#8d8a83}.box.lit rect{stroke:#a8431f;stroke-width:2}'
  + '.edge{fill:none;stroke:#b9b4ab}.edge.lit{stroke:#a8431f}.dim{opacity:.45}';

function standalone(drawing: SVGSVGElement): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const style = document.createElementNS('http://www.w3.org/2000/svg', 'style');
  style.textContent = STYLE;
  copy.prepend(style);
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  return new XMLSerializer().serializeToString(copy).replace(NOT_XML, '');
}

/** Characters that may not stand in XML, not even escaped. */
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Twice the size, for screens that are fine. */
const SCALE = 2;

async function png(drawing: SVGSVGElement, name: string): Promise<void> {
  const address = URL.createObjectURL(new Blob([standalone(drawing)], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.width * SCALE, image.height * SCALE];
    const on = canvas.getContext('2d')!;
    on.fillStyle = '#fff';
    on.fillRect(0, 0, canvas.width, canvas.height);
    on.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
    if (blob) save(name, 'image/png', blob);
  } finally {
    URL.revokeObjectURL(address);
  }
}
