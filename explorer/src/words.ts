/** What codes of the API are called on the page, and texts made of answers. */

import type { Breakdown, Coverage, Match, PathType, Reason, Tie, WarmPath } from './types.ts';

export const TYPE_WORDS: Record<PathType, string> = {
  direct: 'Direct',
  advocate: 'Through an advocate',
  second_degree: 'Through a contact',
  advocate_second_degree: 'Through an advocate’s contact',
};

/** The same for little room. */
export const TYPE_SHORT: Record<PathType, string> = {
  direct: 'Direct', advocate: 'Advocate', second_degree: 'Contact', advocate_second_degree: 'Advocate’s contact',
};

export const TYPE_MEANINGS: Record<PathType, string> = {
  direct: 'A colleague knows them.',
  advocate: 'Somebody who agreed to introduce for a colleague knows them.',
  second_degree: 'A colleague knows a person who knows them.',
  advocate_second_degree: 'An advocate of a colleague knows a person who knows them.',
};

const number = new Intl.NumberFormat('en');
export const count = (value: number): string => number.format(value);

/** "1 path", "2 paths". */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });
export function date(text: string | undefined): string {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? text ?? '' : day.format(time);
}

/** `sharedAccelerator` or `signal_watch` as words. */
export function words(code: string): string {
  return code.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/[_-]+/g, ' ').toLowerCase();
}

/** As `words`, with a capital. */
export function title(code: string): string {
  const text = words(code);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `text` without capitals, accents and runs of spaces, for what is filtered here. */
export const folded = (text: string): string => text.normalize('NFKD').replace(/\p{Mn}/gu, '').toLowerCase().replace(/\s+/gu, ' ').trim();

/** When two last had to do with each other; of a tie of one day alone it is known since when it is, and no more. */
export const lastContact = (tie: Tie | undefined): string | undefined => tie?.lastContact === tie?.since ? undefined : tie?.lastContact;

/** Position and company in one line. */
export function occupation(position?: string, company?: string): string {
  if (position && company) return `${position}, ${company}`;
  return position ?? company ?? '';
}

/** How strong a tie is, by its warmness: above 20 more is known than a connection, and 50 takes more than that. */
export function strength(warmness: number): 'Strong' | 'Good' | 'Weak' {
  if (warmness >= 50) return 'Strong';
  return warmness > 20 ? 'Good' : 'Weak';
}

/** The first letters of the first and the last word of a name; of a name in one word the first letter. */
export function initials(name: string): string {
  const words = name.split(/[\s\u00a0·]+/u).map((word) => /\p{L}\p{M}*/u.exec(word)?.[0]).filter((letter) => letter !== undefined);
  const ends = words.length > 1 ? [words[0]!, words.at(-1)!] : words;
  return ends.join('').toLocaleUpperCase('en');
}

/** A hue that is the same for the same name. */
export function hueOf(name: string): number {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + character.codePointAt(0)!) % 3600;
  return sum / 10;
}

export interface Factor { name: string; value: string }

/** The parts of a free-form object that can be shown in a line. */
export function factors(breakdown: Breakdown | undefined): Factor[] {
  return Object.entries(breakdown ?? {})
    .filter(([, value]) => ['number', 'string', 'boolean'].includes(typeof value))
    .map(([name, value]) => ({ name: title(name), value: String(value) }));
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

const measure = document.createElement('canvas').getContext('2d')!;

/** `text` in a line of `width` pixels, set in `font` (weight and size); never cut inside a letter. */
export function fitted(text: string, width: number, font: string): string {
  measure.font = `${font} ${getComputedStyle(document.body).fontFamily}`;
  const fits = (part: string) => measure.measureText(part).width <= width;
  if (fits(text)) return text;
  let kept = '';
  for (const { segment, index } of segmenter.segment(text)) {
    const next = text.slice(0, index + segment.length);
    if (!fits(`${next}…`)) break;
    kept = next;
  }
  return `${kept.trimEnd()}…`;
}

/** What a bound left out, in sentences; empty if nothing was. */
export function coverageWords(coverage: Coverage): string {
  if (!coverage.capped) return '';
  const { candidatePeople: looked, candidatePeopleCap: most } = coverage;
  const people = most !== undefined && looked >= most
    ? `Only the ${count(looked)} best-known people there were looked at. ` : '';
  const edges = coverage.secondDegreeEdgesCapped
    ? 'Only the warmest contacts of contacts were looked at. ' : '';
  return `This list may be incomplete. ${people}${edges}There may be more introductions than these.`;
}

/** Reasons that the API gives by the names of its parameters, as the page's own controls are called. */
const REASONS: Record<string, string> = {
  from_set_empty: 'Nobody of your team is left from whom a way may start: take “Only mine” or the chosen colleague away.',
  all_withheld: 'Everybody there was asked for already: “Also people asked for already” lists them too.',
  only_excluded_types: 'There are ways, but of none of the chosen kinds.',
  no_edge_near: 'Nobody of those from whom ways may start knows them, and none of their advocates or contacts does.',
};

/** Why no way was found. */
export const reasonWords = (reason: Reason): string => REASONS[reason.code] ?? reason.message;

const MATCHES: Record<string, string> = {
  reordered: 'The name is the same in another order.',
  prefix: 'What was typed is only part of this name.',
  fuzzy: 'The name is spelt a little differently.',
  domain: 'Found by the company’s domain.',
};

const DOUBTS: Record<string, string> = {
  company: 'Not known to work there.',
  name: 'The name is written a little differently here.',
};

/** How sure the match is; empty if there is nothing to doubt. */
export function matchWords(match: Match | undefined): string {
  const how = MATCHES[match?.by ?? ''] ?? '';
  const others = match?.others ? `${counted(match.others, 'other')} of that name.` : '';
  const doubts = (match?.doubt ?? []).map((doubt) => DOUBTS[doubt] ?? '');
  return [how, ...doubts, others].filter(Boolean).join(' ');
}

/** The people of a path in order, first the member. */
export interface Step { column: number; id: string; name: string; note: string }

export const COLUMNS = ['Your team', 'Advocate', 'Contact', 'To meet'] as const;

export interface Leg { warmness?: number; label: string; signals: string[]; breakdown?: Breakdown; evidence: WarmPath['userToConnectorEvidence'] }

export interface Target { id: string; name: string; position?: string; company?: string }

/** The steps of a path to `target`, and the legs between them. */
export function unfolded(path: WarmPath, target: Target): { steps: Step[]; legs: Leg[] } {
  const { connector, connectionType: type, viaAdvocate: via } = path;
  const member: Step = { column: 0, id: path.fromUserId, name: path.fromUserName, note: 'Your team' };
  const middle = { id: connector.id, name: connector.name, note: occupation(connector.position, connector.company) };
  const last: Step = { column: 3, id: target.id, name: target.name, note: occupation(target.position, target.company) };
  const first: Leg = {
    warmness: path.userToConnectorWarmness, label: '', signals: path.userToConnectorSignals ?? [],
    breakdown: path.userToConnectorBreakdown, evidence: path.userToConnectorEvidence ?? [],
  };
  const final: Leg = {
    warmness: path.connectorToProspectWarmness, label: '', signals: path.connectorToProspectSignals ?? [],
    breakdown: path.connectorToProspectBreakdown, evidence: path.connectorToProspectEvidence ?? [],
  };
  if (type === 'direct') return { steps: [{ ...member, note: middle.note || member.note }, last], legs: [final] };
  if (type === 'advocate') return { steps: [member, { ...middle, column: 1 }, last], legs: [first, final] };
  const contact: Step = { ...middle, column: 2 };
  if (type === 'second_degree' || !via) return { steps: [member, contact, last], legs: [first, final] };
  const advocate: Step = { column: 1, id: via.id, name: via.name, note: occupation(via.position, via.company) };
  const toAdvocate: Leg = { warmness: via.warmness, label: '', signals: [], evidence: [] };
  return { steps: [member, advocate, contact, last], legs: [toAdvocate, { ...first, label: 'from the first to here' }, final] };
}

/** How strong a step is, and when the two last had to do with each other; if only a connection is known, since when. */
export function legWords({ warmness, evidence }: Leg): string {
  const last = evidence?.[0];
  const when = last && `${last.kind === 'connection' ? 'since' : 'last on'} ${date(last.at)}`;
  return [warmness === undefined ? 'not scored' : strength(warmness), when].filter(Boolean).join(', ');
}

/** Whether it was derived that the two know each other, and no file says so. */
export const isGuess = (leg: Leg): boolean => Boolean(leg.breakdown?.['seenTogether'] || leg.breakdown?.['sharedInstitution']);

/** "Aoife O’Neill → Pooja Desai → Deepa Reddy" for exports and for readers of the screen. */
export function chain(steps: readonly Step[]): string {
  return steps.map((step) => step.name).join(' → ');
}

/** Cells that a spreadsheet program would take for a formula begin with an apostrophe. */
function cell(value: string | number | undefined): string {
  const text = String(value ?? '');
  const safe = typeof value === 'string' && /^[=+\-@＝＋－＠\t\r\n]/.test(text) ? `'${text}` : text;
  return /["\r\n,;\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A table as spreadsheet programs read it. */
export function csv(rows: readonly (readonly (string | number | undefined)[])[]): string {
  return `\uFEFF${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
}

/** Hands `content` to the browser as a file to keep. */
export function save(name: string, type: string, content: string | Blob): void {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const anchor = document.createElement('a');
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** A file name out of a person's or company's name. */
export function fileName(name: string, ending: string): string {
  const plain = name.normalize('NFKD').replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '').toLowerCase();
  return `introductions-${plain.slice(0, 60) || 'kith'}.${ending}`;
}
