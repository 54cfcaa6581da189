/** Many targets at once: a pasted list in, a table of the best introduction to each out. The list stays in the browser. */

import { useState } from 'preact/hooks';
import { Failure, post } from '../api.ts';
import { Draft } from '../draft.tsx';
import { link } from '../route.ts';
import { readTargets, TARGETS_MAX } from '../targets.ts';
import type { Read } from '../targets.ts';
import type { BatchAnswer, BatchEntry, PersonCard, Plan, Session, WarmPath } from '../types.ts';
import { Choices, Failed, Head, Loading, Name, Notice, Warm, Who } from '../ui.tsx';
import { chain, count, counted, csv, date, matchWords, occupation, reasonWords, save, TYPE_WORDS, unfolded } from '../words.ts';

const EXAMPLE = 'Deepa Reddy (Ænselholt Software)\nSomebody <somebody@example.com>\nhttps://www.linkedin.com/in/some-handle\nsomefund.com';
const SHOWN = ['all', 'reached', 'found', 'unknown'] as const;
const SHOWN_WORDS = { all: 'all', reached: 'who can be reached', found: 'who is known', unknown: 'who is not' };
const ORDERS = ['list', 'warmth'] as const;
/** Where the list lies between two visits. */
const LIST = 'kith-list';

function listKept(): string {
  try { return localStorage.getItem(LIST) ?? ''; } catch { return ''; }
}

function keepList(text: string): void {
  try {
    if (text) localStorage.setItem(LIST, text);
    else localStorage.removeItem(LIST);
  } catch { /* It stays for as long as this page. */ }
}

type Asked = { at: 'asking' } | { at: 'answered'; read: Read; answer: BatchAnswer } | { at: 'failed'; failure: Failure };

export function Many({ session }: { session: Session }) {
  const [text, setKept] = useState(listKept);
  const [isMine, setMine] = useState(false);
  const [asked, setAsked] = useState<Asked>();
  const [ask, setAsk] = useState<{ path: WarmPath; target: PersonCard }>();
  const read = readTargets(text);
  const { lines, left } = read;
  const setText = (now: string) => { setKept(now); keepList(now); };

  const send = () => {
    setAsked({ at: 'asking' });
    const body = { targets: lines.map(({ text }) => ({ text })), perTarget: 1, sort: 'warmness', include: session.asks ? ['near', 'asks'] : ['near'], plan: session.asks ? true : undefined, scope: isMine ? 'me' : undefined };
    post<BatchAnswer>('search/warm-paths/batch', body).then(
      (answer) => setAsked({ at: 'answered', read, answer }),
      (failure: Failure) => setAsked({ at: 'failed', failure }),
    );
  };

  return (
    <article class="wide">
      <Head title="Many at once">
        <p class="lead">One person or company a line, as you have them: a name with a firm, an e-mail address, the address of a profile or a homepage. A table with a header row is read by its columns. The list stays in this browser until you clear it.</p>
      </Head>
      <form onSubmit={(event) => { event.preventDefault(); if (lines.length) send(); }}>
        <label class="field" for="targets">Your list</label>
        <textarea id="targets" dir="auto" rows={8} spellcheck={false} value={text} placeholder={EXAMPLE} onInput={(event) => setText(event.currentTarget.value)} />
        <div class="filters">
          <label class="field">Or a file
            <input type="file" accept=".csv,.txt,.tsv,text/csv,text/plain" onChange={async (event) => {
              const file = event.currentTarget.files?.[0];
              if (file) setText(await file.text());
            }} />
          </label>
          {session.member && (
            <fieldset class="choices"><legend>Show</legend>
              <label><input type="checkbox" checked={isMine} onChange={(event) => setMine(event.currentTarget.checked)} /><span>Only mine</span></label>
            </fieldset>
          )}
        </div>
        {left > 0 && <Notice>Only the first {count(TARGETS_MAX)} are asked for; {count(left)} more are left out.</Notice>}
        <div class="buttons"><button type="submit" class="main" disabled={!lines.length || asked?.at === 'asking'}>
          {lines.length ? `Find introductions to ${count(lines.length)}` : 'Find introductions'}
        </button>{text && <button type="button" class="plain" onClick={() => { setText(''); setAsked(undefined); }}>Clear</button>}</div>
      </form>
      {asked?.at === 'asking' && <Loading what="Looking for introductions…" />}
      {asked?.at === 'failed' && <Failed failure={asked.failure} again={send} />}
      {asked?.at === 'answered' && <Table read={asked.read} answer={asked.answer} onAsk={(path, target) => setAsk({ path, target })} />}
      {ask && <Draft path={ask.path} target={ask.target} session={session} close={() => setAsk(undefined)} />}
    </article>
  );
}

/** Who is reached by an entry's first path. */
const reached = (entry: BatchEntry): PersonCard | undefined => entry.paths?.[0]?.target ?? entry.prospect ?? undefined;

/** Why an entry has no path, in words. */
function why(entry: BatchEntry): string {
  if (entry.error) return entry.error;
  const called = entry.match?.read?.name;
  const isNobody = called && !entry.prospect && !entry.company;
  const first = isNobody ? [`Nobody here is called ${called}.`] : (entry.reasons ?? []).map(reasonWords);
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

function exported({ head: columns, lines }: Read, answer: BatchAnswer): string {
  const planned = plannedOf(planOf(answer));
  const head = [...columns, 'found', 'id', 'profile', 'position', 'company', 'type', 'warmness', 'way', 'ask', 'how sure', 'note', ...planned.size ? ['when', 'over'] : []];
  return csv([head, ...answer.data.results.map((entry) => {
    const given = lines[entry.index]?.cells ?? [];
    const [path, person] = [entry.paths?.[0], reached(entry)];
    const found = person?.name ?? entry.company?.name;
    const way = path && person ? chain(unfolded(path, person).steps) : undefined;
    return [
      ...columns.map((_, at) => given[at] ?? ''), found, person?.id ?? entry.company?.id,
      person?.linkedinId && `https://www.linkedin.com/in/${encodeURIComponent(person.linkedinId)}`, person?.position, person?.company ?? entry.company?.name,
      path && TYPE_WORDS[path.connectionType], path?.warmness, way, path?.fromUserName, matchWords(entry.match),
      path ? '' : why(entry), ...planned.size ? [planned.get(entry.index)?.words, planned.get(entry.index)?.path?.connector.name] : [],
    ];
  })]);
}

function Table({ read, answer, onAsk }: {
  read: Read; answer: BatchAnswer; onAsk: (path: WarmPath, target: PersonCard) => void;
}) {
  const { results, connectors } = answer.data;
  const [shown, setShown] = useState<typeof SHOWN[number]>('all');
  const [order, setOrder] = useState<typeof ORDERS[number]>('list');
  const isKnown = (entry: BatchEntry) => Boolean(entry.prospect ?? entry.company);
  const isShown = (entry: BatchEntry) => shown === 'all' || (shown === 'reached' ? Boolean(entry.paths?.length) : isKnown(entry) === (shown === 'found'));
  const warmth = (entry: BatchEntry) => entry.paths?.[0]?.warmness ?? -1;
  const rows = results.filter(isShown);
  if (order === 'warmth') rows.sort((one, other) => warmth(other) - warmth(one));
  const plan = planOf(answer);
  const planned = plannedOf(plan);
  const load = new Map<string, { name: string; now: number }>();
  for (const { path } of plan?.now ?? []) {
    const { id, name } = path.connector;
    load.set(id, { name, now: (load.get(id)?.now ?? 0) + 1 });
  }
  const reachedCount = results.filter((entry) => entry.paths?.length).length;
  const members = new Map(results.flatMap((entry) => entry.paths ?? []).map((path) => [path.fromUserId, path.fromUserName]));
  return (
    <section>
      <h2>Best introductions</h2>
      <p class="summary" role="status">{count(reachedCount)} of {count(results.length)} can be reached, {count(results.filter(isKnown).length)} are known.</p>
      <div class="filters">
        <Choices name="Show" of={SHOWN} words={(one) => SHOWN_WORDS[one]} chosen={[shown]} onChange={([one]) => setShown(one!)} />
        <Choices name="Order" of={ORDERS} words={(one) => one === 'list' ? 'as in the list' : 'warmest first'} chosen={[order]} onChange={([one]) => setOrder(one!)} />
      </div>
      {answer.meta.capped && <Notice>For some of them not all ways were looked at; there may be warmer ones.</Notice>}
      <div class="table" role="region" aria-label="Best introductions" tabIndex={0}>
        <table>
          <thead><tr><th scope="col">Asked for</th><th scope="col">Found</th><th scope="col">Best introduction</th><th scope="col">Warmness</th>{plan && <th scope="col">When to ask</th>}<th scope="col"><span class="unseen">Next</span></th></tr></thead>
          <tbody>
            {rows.map((entry) => {
              const [path, person] = [entry.paths?.[0], reached(entry)];
              const sure = matchWords(entry.match);
              const to = planned.get(entry.index);
              const way = to?.path ?? path;
              return (
                <tr key={entry.index}>
                  <td data-head="Asked for"><bdi>{read.lines[entry.index]?.cells.filter(Boolean).join(', ')}</bdi></td>
                  <td data-head="Found">
                    {person ? <Who name={person.name} href={link('paths', person.id)} position={person.position} company={person.company} />
                      : entry.company ? <a href={link('company', entry.company.id)}><Name of={entry.company.name} /></a> : <span class="soft">nobody</span>}
                    {sure && <span class="soft small"> {sure}</span>}
                  </td>
                  <td data-head="Best introduction">
                    {path && person ? <><bdi>{chain(unfolded(path, person).steps.slice(0, -1))}</bdi> <span class="soft small">{TYPE_WORDS[path.connectionType]}{(entry.totalCount ?? 0) > 1 && `, ${count(entry.totalCount! - 1)} more`}</span></>
                      : <><span class="soft">{why(entry)}</span>{entry.near && <Nearest near={entry.near} />}</>}
                  </td>
                  <td data-head="Warmness">{path && <Warm score={path.warmness} />}</td>
                  {plan && (
                    <td data-head="When to ask">
                      {to?.words}
                      {to?.path && to.path.connector.id !== path?.connector.id && <span class="soft small"> over <Name of={to.path.connector.name} /></span>}
                    </td>
                  )}
                  <td>{way && person && to?.when !== 'never' && <button type="button" class="text" onClick={() => onAsk(way, way.target ?? person)}>Ask<span class="unseen"> for <Name of={person.name} /></span></button>}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <p class="export">
        <button type="button" class="plain" onClick={() => save('introductions.csv', 'text/csv', exported(read, answer))}>Save as CSV</button>
        <span class="soft"> A saved file stays as it is when somebody asks to be forgotten.</span>
      </p>
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
