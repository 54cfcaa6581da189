/** Who was asked for introductions, and what came of it: read by everybody, written by the member who asked. */

import { useState } from 'preact/hooks';
import { get, getResults, press } from '../api.ts';
import { useLoad, usePages } from '../load.ts';
import { link, tune } from '../route.ts';
import type { Route } from '../route.ts';
import type { Ask, AskCounts, AskPage, Person, Session } from '../types.ts';
import { Choices, Copy, Head, More, Name, Notice, Warm, When } from '../ui.tsx';
import { count, date, TYPE_WORDS } from '../words.ts';

const PAGE = 20;
const VIEWS = ['', 'mine', 'waiting', 'closed', 'all', 'results'] as const;
const VIEW_NAMES = { '': 'Open', mine: 'Mine', waiting: 'Waiting for me', closed: 'Done', all: 'All', results: 'What came of them' } as const;
const OF_MEMBERS: readonly string[] = ['mine', 'waiting'];
const WORDS: Record<string, string> = {
  asked: 'asked', agreed: 'agreed to introduce', introduced: 'introduced', in_touch: 'in touch', met: 'met',
  declined: 'declined', no_answer: 'no answer', withdrawn: 'withdrawn', reopened: 'taken back',
};
/** What may be said next, by the state. */
const NEXT: Record<string, readonly string[]> = {
  asked: ['agreed', 'introduced', 'declined', 'no_answer', 'withdrawn'],
  agreed: ['introduced', 'met', 'declined', 'no_answer', 'withdrawn'],
  introduced: ['in_touch', 'met', 'no_answer', 'withdrawn'],
  in_touch: ['met'],
};

/** A page of asks, the oldest first: the API has the newest first, so pages are taken from the end. */
async function oldestFirst(asked: object, offset: number, signal: AbortSignal): Promise<AskPage> {
  const ask = async (limit: number, from: number) => (await get<{ data: AskPage }>('asks', { ...asked, limit, offset: from }, signal)).data;
  const total = (await ask(1, 0)).totalCount;
  const end = Math.max(0, total - offset);
  const from = Math.max(0, end - PAGE);
  if (end === from) return { asks: [], totalCount: total, hasMore: false };
  const page = await ask(end - from, from);
  return { asks: page.asks.reverse(), totalCount: total, hasMore: from > 0, nextOffset: total - from };
}

export function Asks({ route, session }: { route: Route; session: Session }) {
  const views = VIEWS.filter((one) => session.member || !OF_MEMBERS.includes(one));
  const view = views.find((one) => one === route.params.get('state')) ?? '';
  return (
    <article>
      <Head title="Asks"><p class="lead">Who was asked for an introduction, and what came of it. Nothing is sent from here.</p></Head>
      <div class="filters">
        <Choices name="Which" of={views} words={(one) => VIEW_NAMES[one]} chosen={[view]} onChange={([one]) => tune(route, { state: one })} />
      </div>
      {view === 'results' ? <Results /> : <List key={view} view={view} session={session} />}
    </article>
  );
}

function List({ view, session }: { view: string; session: Session }) {
  const asked = {
    state: view === 'closed' || view === 'all' ? view : undefined,
    mine: view === 'mine' || undefined,
    connectorId: view === 'waiting' ? session.member?.personId : undefined,
  };
  const { loaded, all, again, more, isMore, failure } = usePages(JSON.stringify(asked),
    (offset, signal) => oldestFirst(asked, offset, signal), (page) => page.asks);
  return (
    <When of={loaded} again={again}>
      {(page) => page.totalCount === 0 ? <div class="empty"><p>{view === 'waiting' ? 'Nobody waits for you to introduce them.' : `Nobody was asked${view === 'closed' || view === 'all' ? '' : ', or everything is done'}.`}</p></div> : (
        <>
          <AskCards asks={all} session={session} again={again} />
          <More more={more} isMore={isMore} failure={failure} shown={all.length} total={page.totalCount} one="ask" />
        </>
      )}
    </When>
  );
}

export function AskCards({ asks, session, again }: { asks: readonly Ask[]; session: Session; again: () => void }) {
  return <ul class="cards">{asks.map((one) => <Card key={one.id} of={one} session={session} again={again} />)}</ul>;
}

/** The asks about a person: who asked whom, and when. */
export function AsksAbout({ id, session }: { id: string; session: Session }) {
  const [loaded, again] = useLoad(id, async (signal) => (await get<{ data: AskPage }>('asks', { personId: id, state: 'all', limit: PAGE }, signal)).data);
  if (loaded.at !== 'ready' || !loaded.value.totalCount) return null;
  return (
    <section>
      <h2>Who asked for an introduction</h2>
      <AskCards asks={loaded.value.asks} session={session} again={again} />
    </section>
  );
}

function Card({ of, session, again }: { of: Ask; session: Session; again: () => void }) {
  const [said, setSaid] = useState('');
  const [url, setUrl] = useState('');
  const isMine = session.asks === 'write' && session.member?.userId === of.askedBy.userId;
  const write = (outcome: string) => press(`asks/${of.id}`, { outcome, key: crypto.randomUUID() })
    .then(again, (failure: Error) => setSaid(failure.message));
  const makeLink = () => press<{ url: string }>(`asks/${of.id}/link`, {})
    .then((made) => setUrl(made.url), (failure: Error) => setSaid(failure.message));
  return (
    <li>
      <div class="line">
        <span class="who">
          <a href={link('person', of.person.id)}><Name of={of.person.name} /></a>
          <span class="soft">{of.connector ? <>over <a href={link('person', of.connector.id)}><Name of={of.connector.name} /></a></> : 'directly'}, by <Name of={of.askedBy.name} /> on {date(of.askedAt)}</span>
        </span>
        <b>{WORDS[of.state] ?? of.state}</b>
        {of.warmness !== undefined && <Warm score={of.warmness} />}
      </div>
      {isMine && (
        <div class="buttons">
          {(NEXT[of.state] ?? []).map((outcome) => <button key={outcome} type="button" class="plain" onClick={() => write(outcome)}>{WORDS[outcome]}</button>)}
          {of.state !== 'asked' && <button type="button" class="text" onClick={() => write('reopened')}>Take back “{WORDS[of.state]}”</button>}
          {of.open && of.connector && <button type="button" class="text" onClick={makeLink}>Make a link for their answer</button>}
        </div>
      )}
      {url && <p class="line"><code>{url}</code> <Copy text={url} label="Copy the link" /></p>}
      {said && <Notice>{said}</Notice>}
    </li>
  );
}

const COUNTED = ['asked', 'agreed', 'introduced', 'in_touch', 'met', 'declined', 'no_answer'] as const;
const LISTS = [
  ['all', 'Asks'], ['connectionType', 'By kind'], ['band', 'By warmness'], ['month', 'By month'], ['connector', 'By who was asked'],
] as const;
/** With fewer asks there are no shares. */
const SHARES_FROM = 20;

/** What came of all asks: how many got how far, and from twenty asks on which share of them. */
function Results() {
  const [loaded, again] = useLoad('results', async (signal) => {
    const report = await getResults(signal);
    const names = await Promise.all(report.connector.map(async ({ key }) => {
      try { return [key, (await get<{ data: Person }>(`people/${encodeURIComponent(key)}`, {}, signal)).data.name] as const; } catch { return [key, key] as const; }
    }));
    return { report, names: new Map(names) };
  });
  return (
    <When of={loaded} again={again}>
      {({ report, names }) => {
        const all = report.all[0]?.asked ?? 0;
        if (!all) return <div class="empty"><p>Nobody was asked yet.</p></div>;
        const words = (list: string, key: string) => list === 'all' ? 'All' : list === 'connector' ? names.get(key) ?? key : list === 'connectionType' ? TYPE_WORDS[key as keyof typeof TYPE_WORDS] ?? key : list === 'band' ? `warmness ${key}` : key;
        return (
          <>
            {all < SHARES_FROM && <Notice kind="plain">Not enough to tell shares by: {count(all)} of {SHARES_FROM} asks.</Notice>}
            <div class="table" role="region" aria-label="What came of asks" tabIndex={0}>
              <table>
                <thead><tr><th scope="col">Asks</th>{COUNTED.map((kind) => <th key={kind} scope="col">{WORDS[kind]}</th>)}</tr></thead>
                {LISTS.filter(([list]) => report[list].length).map(([list, title]) => (
                  <tbody key={list}>
                    {report[list].map((row) => (
                      <tr key={row.key}>
                        <td data-head={title}><b><bdi>{words(list, row.key)}</bdi></b></td>
                        {COUNTED.map((kind) => <td key={kind} data-head={WORDS[kind]}>{count(row[kind])} <Share of={row} kind={kind} /></td>)}
                      </tr>
                    ))}
                  </tbody>
                ))}
              </table>
            </div>
            <p class="soft">An ask counts in each step up to its furthest. A share stands with its 95 % interval; withdrawn asks count nowhere.</p>
          </>
        );
      }}
    </When>
  );
}

function Share({ of, kind }: { of: AskCounts; kind: string }) {
  const share = of.shares?.[kind];
  if (!share) return null;
  const [part, low, high] = share.map((one) => Math.round(100 * one));
  return <span class="soft small">{part} % ({low}–{high})</span>;
}
