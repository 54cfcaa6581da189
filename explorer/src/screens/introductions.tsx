/** The best introduction to each line of a list, as a table one works in. */

import { useEffect, useMemo, useState } from 'preact/hooks';
import { draft } from '../draft.tsx';
import { nextOf, STATES } from '../lists.ts';
import type { Note, State } from '../lists.ts';
import { link, parse, tune } from '../route.ts';
import { Table } from '../table.tsx';
import type { Column } from '../table.tsx';
import type { Read } from '../targets.ts';
import type { BatchAnswer, BatchEntry, PersonCard, Plan, Session, WarmPath } from '../types.ts';
import { Choices, Face, Name, Notice, Warm, Who } from '../ui.tsx';
import { chain, count, counted, csv, date, matchWords, occupation, reasonWords, TYPE_WORDS, unfolded } from '../words.ts';

const SHOWN = ['all', 'reached', 'found', 'unknown'] as const;
const SHOWN_WORDS = { all: 'all', reached: 'who can be reached', found: 'who is known', unknown: 'who is not' };

/** Who is reached by an entry's first path. */
const reached = (entry: BatchEntry): PersonCard | undefined => entry.paths?.[0]?.target ?? entry.prospect ?? undefined;

/** Why an entry has no path, in words. */
function why(entry: BatchEntry): string {
  if (entry.error) return entry.error;
  const called = entry.match?.read?.name;
  const isNobody = called && !entry.prospect && !entry.company;
  const first = isNobody ? [`Nobody here is called ${called.replace(/\.$/, '')}.`] : (entry.reasons ?? []).map(reasonWords);
  return first.join(' ') || 'No introduction was found.';
}

/** Who is near a target that was not found, and the best introduction to the same firm. */
function Nearest({ near }: { near: NonNullable<BatchEntry['near']> }) {
  const path = near.paths[0];
  return (
    <>
      {near.people.length > 0 && <p class="small">A name like it: {near.people.map((one, at) => (
        <>{at > 0 && ', '}<a href={link('paths', one.id)}><Name of={one.name} /></a>{one.company && <span class="soft"> <bdi>{one.company}</bdi></span>}</>
      ))}</p>}
      {near.company && path?.target && <p class="small">Known at <a href={link('company', near.company.id)}><Name of={near.company.name} /></a>: <bdi>{chain(unfolded(path, path.target).steps)}</bdi></p>}
    </>
  );
}

/** The same in words, for the table that is saved. */
function nearestWords({ people, company, paths: [path] }: NonNullable<BatchEntry['near']>): string {
  const like = people.map((one) => one.company ? `${one.name} (${one.company})` : one.name).join(', ');
  const way = company && path?.target && `Known at ${company.name}: ${chain(unfolded(path, path.target).steps)}`;
  return [like && `A name like it: ${like}`, way].filter(Boolean).join('. ');
}

/** The plan of an answer, if asks are kept. */
const planOf = (answer: BatchAnswer): Plan | undefined => (answer.data as { plan?: Plan }).plan;

const NEVER: Record<string, string> = {
  asked: 'asked already', cooling: 'asked for lately', do_not_ask: 'does not want to be asked', no_path: 'no way',
};

interface Planned { when: 'now' | 'later' | 'never'; path?: WarmPath; words: string }

/** What the plan says of each place of the list. */
function plannedOf(plan: Plan | undefined): Map<number, Planned> {
  return new Map<number, Planned>([
    ...(plan?.now ?? []).map(({ index, path }) => [index, { when: 'now', path, words: 'now' }] as const),
    ...(plan?.later ?? []).map(({ index, path, after }) => [index, { when: 'later', path, words: `later, after ${date(after)}` }] as const),
    ...(plan?.never ?? []).map(({ index, reason }) => [index, { when: 'never', words: `not: ${NEVER[reason] ?? reason}` }] as const),
  ]);
}

/** A line of the list with what it was answered. */
interface Row { entry: BatchEntry; asked: string; text: string; path?: WarmPath; person?: PersonCard; planned?: Planned }

function rowsOf({ lines }: Read, answer: BatchAnswer): Row[] {
  const planned = plannedOf(planOf(answer));
  return answer.data.results.map((entry) => {
    const line = lines[entry.index];
    return { entry, asked: line?.cells.filter(Boolean).join(', ') ?? '', text: line?.text ?? '', path: entry.paths?.[0], person: reached(entry), planned: planned.get(entry.index) };
  });
}

/** The table that is saved: the columns of the list, and all by which a CRM knows people. */
function exported(rows: readonly Row[], { head: columns, lines }: Read, notes: Record<string, Note>, session: Session): string {
  const isPlanned = rows.some((row) => row.planned);
  const head = [...columns, 'found', 'id', 'profile', 'position', 'company', 'type', 'warmness', 'way', 'ask', 'how sure', 'note', 'state', 'own note', ...isPlanned ? ['when', 'over'] : []];
  return csv([head, ...rows.map(({ entry, text, path, person, planned }) => {
    const given = lines[entry.index]?.cells ?? [];
    return [
      ...columns.map((_, at) => given[at] ?? ''), person?.name ?? entry.company?.name, person?.id ?? entry.company?.id,
      person?.linkedinId && `https://www.linkedin.com/in/${encodeURIComponent(person.linkedinId)}`, person?.position, person?.company ?? entry.company?.name,
      path && TYPE_WORDS[path.connectionType], path?.warmness, path && person && chain(unfolded(path, person).steps),
      path && person && draft(path, person, session).to.name, matchWords(entry.match),
      path ? '' : [why(entry), entry.near && nearestWords(entry.near)].filter(Boolean).join(' '), notes[text]?.state, notes[text]?.note, ...isPlanned ? [planned?.words, planned?.path?.connector.name] : [],
    ];
  })]);
}

/** How a line was found: the person or the company, and what is in doubt. */
function Found({ of: { entry, person } }: { of: Row }) {
  const sure = matchWords(entry.match);
  return (
    <>
      {person ? <Who name={person.name} href={link('paths', person.id)} position={person.position} company={person.company} />
        : entry.company ? <span class="faced"><Face name={entry.company.name} isFirm /><a href={link('company', entry.company.id)}><Name of={entry.company.name} /></a></span> : <span class="soft">nobody</span>}
      {sure && <span class="soft small"> {sure}</span>}
    </>
  );
}

function Way({ of: { entry, path, person } }: { of: Row }) {
  if (!path || !person) return <><span class="soft">{why(entry)}</span>{entry.near && <Nearest near={entry.near} />}</>;
  const more = (entry.totalCount ?? 0) - 1;
  return <><bdi>{chain(unfolded(path, person).steps.slice(0, -1))}</bdi> <span class="soft small">{TYPE_WORDS[path.connectionType]}{more > 0 && <>, <a href={link('paths', person.id)}>{count(more)} more</a></>}</span></>;
}

export function Introductions({ read, answer, session, notes, onNote, onAsk }: {
  read: Read; answer: BatchAnswer; session: Session; notes: Record<string, Note>;
  onNote: (line: string, now: Note) => void; onAsk: (path: WarmPath, target: PersonCard, line: string) => void;
}) {
  const { results } = answer.data;
  // That everybody is asked once says nothing.
  const connectors = answer.data.connectors.filter((one) => one.targets > 1);
  const [shown, setShown] = useState(() => SHOWN.find((one) => one === parse(location.hash).params.get('show')) ?? 'all');
  useEffect(() => tune(parse(location.hash), { show: shown === 'all' ? '' : shown }), [shown]);
  const isKnown = (entry: BatchEntry) => Boolean(entry.prospect ?? entry.company);
  const isShown = ({ entry }: Row) => shown === 'all' || (shown === 'reached' ? Boolean(entry.paths?.length) : isKnown(entry) === (shown === 'found'));
  const rows = useMemo(() => rowsOf(read, answer).filter(isShown), [read, answer, shown]);
  const plan = planOf(answer);
  const load = new Map<string, { name: string; now: number }>();
  for (const { path } of plan?.now ?? []) {
    const { id, name } = path.connector;
    load.set(id, { name, now: (load.get(id)?.now ?? 0) + 1 });
  }
  const reachedCount = results.filter((entry) => entry.paths?.length).length;
  const members = new Map(results.flatMap((entry) => entry.paths ?? []).map((path) => [path.fromUserId, path.fromUserName]));
  const columns: Column<Row>[] = [
    { name: 'Asked for', value: (row) => row.asked },
    { name: 'Found', value: (row) => row.person?.name ?? row.entry.company?.name, cell: (row) => <Found of={row} /> },
    { name: 'Best introduction', value: (row) => row.path?.connector.name, cell: (row) => <Way of={row} /> },
    { name: 'Strength', value: (row) => row.path?.warmness, cell: (row) => row.path && <Warm score={row.path.warmness} /> },
    ...plan ? [{
      name: 'When to ask', value: (row: Row) => row.planned?.words,
      cell: ({ planned, path }: Row) => <>{planned?.words}{planned?.path && planned.path.connector.id !== path?.connector.id && <span class="soft small"> over <Name of={planned.path.connector.name} /></span>}</>,
    }] : [],
    {
      name: 'Next', cell: ({ path, person, planned, text }) => {
        const way = planned?.path ?? path;
        return way && person && planned?.when !== 'never' && <button type="button" class="text" onClick={() => onAsk(way, way.target ?? person, text)}>Ask<span class="unseen"> for <Name of={person.name} /></span></button>;
      },
    },
    {
      name: 'State', value: (row) => notes[row.text]?.state,
      cell: (row) => {
        const state = notes[row.text]?.state ?? '';
        const next = nextOf(state);
        return (
          <span class="state">
            <select aria-label={`State of ${row.asked}`} value={state} onChange={(event) => onNote(row.text, { state: event.currentTarget.value as State })}>
              {STATES.map((one) => <option key={one} value={one}>{one || '–'}</option>)}
            </select>
            {next && <button type="button" class="text small" onClick={() => onNote(row.text, { state: next })}>{next}<span class="unseen"> is {row.asked} now</span></button>}
          </span>
        );
      },
    },
    {
      name: 'Note', value: (row) => notes[row.text]?.note,
      cell: (row) => <input type="text" dir="auto" maxLength={300} aria-label={`Note on ${row.asked}`} value={notes[row.text]?.note ?? ''} onChange={(event) => onNote(row.text, { note: event.currentTarget.value })} />,
    },
  ];
  return (
    <section>
      <p class="summary" role="status">{count(reachedCount)} of {count(results.length)} can be reached, {count(results.filter(isKnown).length)} are known.</p>
      {answer.meta.capped && <Notice>For some of them not all ways were looked at; there may be warmer ones.</Notice>}
      <Table id="list" name="Best introductions" one="line" columns={columns} rows={rows} keyOf={(row) => row.entry.index}
        file="introductions.csv" saved={(some) => exported(some, read, notes, session)}
        filters={<Choices name="Show" of={SHOWN} words={(one) => SHOWN_WORDS[one]} chosen={[shown]} onChange={([one]) => setShown(one!)} />} />
      {load.size > 0 && (
        <section class="panel">
          <h2>Who is asked now</h2>
          <p class="soft">Nobody is asked more often than the people who run kith allow.</p>
          <ul class="rows">
            {[...load].sort(([, one], [, other]) => other.now - one.now).map(([id, { name, now }]) => (
              <li key={id} class="line"><span class="who"><b><Name of={name} /></b></span><span>{counted(now, 'ask')}</span></li>
            ))}
          </ul>
        </section>
      )}
      {connectors.length > 0 && (
        <section class="panel">
          <h2>Who is asked most</h2>
          <ul class="rows">
            {connectors.slice(0, 10).map((one) => (
              <li key={`${one.connector.id} ${one.fromUserId}`} class="line">
                <span class="who">
                  <b><Name of={one.connector.name} /></b>
                  <span class="soft">{one.connector.company && <><bdi>{occupation(undefined, one.connector.company)}</bdi>{members.get(one.fromUserId) !== one.connector.name && ', '}</>}{members.get(one.fromUserId) !== one.connector.name && <>asked by <Name of={members.get(one.fromUserId) ?? one.fromUserId} /></>}</span>
                </span>
                <span>{counted(one.targets, 'target')}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </section>
  );
}
