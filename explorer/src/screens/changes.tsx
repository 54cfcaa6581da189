/** What changed since the snapshot before: who can be introduced now, who no longer, and what is new about people. */

import { useRef } from 'preact/hooks';
import { Failure, get, whoAmI } from '../api.ts';
import { usePages } from '../load.ts';
import { link, tune } from '../route.ts';
import type { Route } from '../route.ts';
import type { Change, ChangedValue, ChangeKind, ChangePage, PersonCard, Session } from '../types.ts';
import { OfLists, Quiet, Waiting } from './week.tsx';
import { Choices, Head, More, Name, Warm, When, Who } from '../ui.tsx';
import { count, counted, csv, save, TYPE_WORDS } from '../words.ts';

const PAGE = 50;
const KINDS: Record<ChangeKind, string> = {
  reachable: 'Newly reachable', unreachable: 'No longer reachable', warmer: 'Warmer', colder: 'Colder',
  connector: 'Another way', position: 'New position', company: 'New company',
};
/** What one may look for: each of some kinds. */
const LOOKS = ['all', 'opened', 'closed', 'warmth', 'job'] as const;
const LOOK_WORDS = { all: 'Everything', opened: 'New ways', closed: 'Lost ways', warmth: 'Warmer or colder', job: 'New jobs' } as const;
const LOOK_KINDS: Record<typeof LOOKS[number], readonly string[]> = {
  all: Object.keys(KINDS), opened: ['reachable', 'connector'], closed: ['unreachable'], warmth: ['warmer', 'colder'], job: ['position', 'company'],
};

type Page = ChangePage | { isGone: true; hasMore: false };
const isGone = (page: Page): page is Extract<Page, { isGone: true }> => 'isGone' in page;

/** The changes since the generation that the server keeps, which it names to the page alone. */
async function load(since: number | undefined, offset: number, signal: AbortSignal): Promise<Page> {
  const before = since ?? (await whoAmI<Session>()).data?.before;
  if (before === null || before === undefined) return { isGone: true, hasMore: false };
  try {
    return (await get<{ data: ChangePage }>('changes', { since: before, offset, limit: PAGE }, signal)).data;
  } catch (cause) {
    // Another network took its place meanwhile.
    if (cause instanceof Failure && cause.status === 410) return { isGone: true, hasMore: false };
    throw cause;
  }
}

export function Changes({ route, session }: { route: Route; session: Session }) {
  const look = LOOKS.find((one) => one === route.params.get('show')) ?? 'all';
  const since = useRef<number | undefined>(undefined);
  const { loaded, all, again, more, isMore, failure } = usePages<Page, Change>('',
    async (offset, signal) => {
      const page = await load(offset ? since.current : undefined, offset, signal);
      since.current = isGone(page) ? undefined : page.since;
      return page;
    },
    (page) => isGone(page) ? [] : page.changes);
  const shown = all.filter((change) => LOOK_KINDS[look].includes(change.kind));
  return (
    <article>
      <Head title="What’s new"><p class="lead">Since last time: whom you can reach now, whom no longer, who moved, who went quiet, and what waits for you.</p></Head>
      <Waiting session={session} />
      {all.length > 0 && <OfLists changes={all} session={session} />}
      {session.quiet && <Quiet isOwn={!!session.member} />}
      <When of={loaded} again={again} what="Comparing the two…">
        {(page) => isGone(page) ? <NothingKept again={again} /> : page.totalCount === 0 ? <div class="empty"><p><b>Nothing changed for you.</b></p><p>A newer snapshot came, and nobody in reach is nearer, farther or elsewhere by it.</p></div> : (
          <>
            <div class="filters">
              <Choices name="Show" of={LOOKS} words={(one) => LOOK_WORDS[one]} chosen={[look]} onChange={([one]) => tune(route, { show: one === 'all' ? '' : one })} />
            </div>
            <p class="summary" role="status">
              {counted(page.totalCount, 'change')}{look !== 'all' && `; of the ${count(all.length)} looked at, ${count(shown.length)} ${shown.length === 1 ? 'is' : 'are'} shown`}.
            </p>
            {shown.length === 0 && <div class="empty"><p>None of this kind among those looked at.</p></div>}
            <ul class="cards">{byPerson(shown).map((one) => <Card key={one.person.id} of={one} />)}</ul>
            <More more={more} isMore={isMore} failure={failure} shown={all.length} total={page.totalCount} one="change" />
            {shown.length > 0 && (
              <p class="export">
                <button type="button" class="plain" onClick={() => save('changes.csv', 'text/csv', exported(shown))}>Save as CSV</button>
                <span class="soft"> A saved file stays as it is when somebody asks to be forgotten.</span>
              </p>
            )}
          </>
        )}
      </When>
    </article>
  );
}

function NothingKept({ again }: { again: () => void }) {
  return (
    <div class="empty">
      <p><b>There is nothing earlier to compare with.</b></p>
      <p>Changes are shown once newer data took the place of these. If they never are, the people who run kith can switch it on: <code>live.keep_changes = true</code>.</p>
      <p><button type="button" onClick={again}>Look again</button></p>
    </div>
  );
}

interface Changed { person: PersonCard; changes: Change[] }

/** The changes of each person together, in the order in which the people come up. */
function byPerson(changes: readonly Change[]): Changed[] {
  const people = new Map<string, Changed>();
  for (const change of changes) {
    const one: Changed = people.get(change.person.id) ?? { person: change.person, changes: [] };
    one.changes.push(change);
    people.set(change.person.id, one);
  }
  return [...people.values()];
}

function Card({ of: { person, changes } }: { of: Changed }) {
  return (
    <li>
      <Who name={person.name} href={link('paths', person.id)} position={person.position} company={person.company} />
      <ul class="changes">
        {changes.map((change) => <li key={change.kind}><span class={`kind ${change.kind}`}>{KINDS[change.kind] ?? change.kind}</span><What of={change} /></li>)}
      </ul>
    </li>
  );
}

type Way = Extract<ChangedValue, { warmness: number }>;
const isWay = (value: ChangedValue | null): value is Way => value !== null && typeof value === 'object' && 'warmness' in value;

function By({ of }: { of: Way }) {
  return <span>by <Name of={of.connector.name} /></span>;
}

/** A change in as few words as say it: the row's kind says the rest. */
function What({ of: { kind, before, after } }: { of: Change }) {
  const arrow = <span aria-label="now">→</span>;
  if (isWay(before) && isWay(after)) {
    return kind === 'connector'
      ? <span class="was"><Name of={before.connector.name} /> {arrow} <Name of={after.connector.name} /></span>
      : <span class="was"><Warm score={before.warmness} /> {arrow} <Warm score={after.warmness} /> <By of={after} /></span>;
  }
  const way = isWay(after) ? after : isWay(before) ? before : undefined;
  if (way) return <span class="was"><Warm score={way.warmness} /> <By of={way} /></span>;
  return <span class="was"><Plain of={before} /> {arrow} <Plain of={after} /></span>;
}

function Plain({ of }: { of: ChangedValue | null }) {
  if (of === null) return <span class="soft">none</span>;
  return <bdi>{typeof of === 'string' ? of : isWay(of) ? of.connector.name : of.name}</bdi>;
}

/** A value as the cells of a table: its words, and its warmness. */
function cells(of: ChangedValue | null): (string | number | undefined)[] {
  if (of === null) return ['', undefined];
  if (typeof of === 'string') return [of, undefined];
  if (!isWay(of)) return [of.name, undefined];
  return [`${of.connector.name} (${TYPE_WORDS[of.connectionType] ?? of.connectionType})`, of.warmness];
}

function exported(changes: readonly Change[]): string {
  const head = ['change', 'person', 'position', 'company', 'before', 'warmness before', 'after', 'warmness after'];
  return csv([head, ...changes.map(({ kind, person, before, after }) =>
    [KINDS[kind] ?? kind, person.name, person.position, person.company, ...cells(before), ...cells(after)])]);
}
