/** The operator's page: what `/metrics` says, read every few seconds, and nothing kept but in this tab's memory. */

import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Chart } from './chart.tsx';
import { ago, bytes, count, figures, routes, seconds, share, warnings } from './figures.ts';
import type { Figures } from './figures.ts';
import { labelled, parse, sum } from './samples.ts';
import type { Reading } from './samples.ts';

const EVERY_MS = 10_000;
/** The readings that are kept: ten minutes. */
const READINGS_MAX = 60;

class Refused extends Error {}

/** Asks the listener this page came from; `bearer` goes with it and is kept nowhere else. */
async function ask(path: string, bearer: string): Promise<Response> {
  const headers: HeadersInit = bearer ? { Authorization: `Bearer ${bearer}` } : {};
  return fetch(path, { headers, cache: 'no-store', credentials: 'omit', redirect: 'error' });
}

interface State { readings: Reading[]; first?: Reading; ready: string }

async function read(bearer: string): Promise<{ reading: Reading; ready: string }> {
  const [metrics, ready] = await Promise.all([ask('/metrics', bearer), ask('/readyz', bearer)]);
  if (metrics.status === 401) throw new Refused();
  if (!metrics.ok) throw new Error(`The listener answered ${metrics.status}.`);
  return { reading: { at: Date.now(), samples: parse(await metrics.text()) }, ready: (await ready.text()).trim() };
}

function App() {
  // An object: the same token entered once more is tried once more.
  const [bearer, setBearer] = useState({ of: '' });
  const [isRefused, setRefused] = useState(false);
  const [problem, setProblem] = useState('');
  const [state, setState] = useState<State>({ readings: [], ready: '' });
  useEffect(() => {
    let isOver = false;
    let timer: ReturnType<typeof setTimeout>;
    const turn = async () => {
      if (document.visibilityState === 'visible') {
        try {
          const { reading, ready } = await read(bearer.of);
          if (isOver) return;
          setState(({ readings, first }) => ({ readings: [...readings, reading].slice(-READINGS_MAX), first: first ?? reading, ready }));
          setRefused(false);
          setProblem('');
        } catch (cause) {
          if (isOver) return;
          // Without the bearer there is nothing to show, and nothing of before is kept on the screen.
          if (cause instanceof Refused) { setRefused(true); setState({ readings: [], ready: '' }); return; }
          setProblem(cause instanceof TypeError ? 'The listener cannot be reached; what you see is what it said last.' : String((cause as Error).message));
        }
      }
      timer = setTimeout(turn, EVERY_MS);
    };
    turn();
    const onShown = () => { if (document.visibilityState === 'visible') { clearTimeout(timer); turn(); } };
    document.addEventListener('visibilitychange', onShown);
    return () => { isOver = true; clearTimeout(timer); document.removeEventListener('visibilitychange', onShown); };
  }, [bearer]);
  const now = state.readings.at(-1);
  return (
    <main>
      <header class="head">
        <h1>kith <small>operator</small></h1>
        {now && <Build of={now} />}
        {bearer.of && !isRefused && <button type="button" onClick={() => { setState({ readings: [], ready: '' }); setBearer({ of: '' }); }}>Forget the token</button>}
      </header>
      {problem && <p class="notice" role="alert">{problem}</p>}
      {isRefused ? <Enter wasSent={!!bearer.of} onEnter={(of) => setBearer({ of })} /> : now ? <Look state={state} now={now} /> : !problem && <p class="soft" role="status">Reading…</p>}
    </main>
  );
}

function Enter({ wasSent, onEnter }: { wasSent: boolean; onEnter: (bearer: string) => void }) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <form class="panel enter" onSubmit={(event) => { event.preventDefault(); const sent = box.current!.value.trim(); if (sent) onEnter(sent); }}>
      <label for="bearer">The operator’s token</label>
      <input ref={box} id="bearer" type="password" autocomplete="off" spellcheck={false} required />
      <button type="submit" class="main">Look</button>
      <p class="soft">The content of <code>admin.token_file</code>. It stays in the memory of this tab, and is gone with it.</p>
      <p role="alert" class="problem">{wasSent && 'This is not the token.'}</p>
    </form>
  );
}

function Build({ of }: { of: Reading }) {
  const labels = of.samples.find((sample) => sample.name === 'kith_build_info')?.labels;
  const start = sum(of, 'process_start_time_seconds');
  return <p class="soft">{labels && <>Version {labels['version']}, snapshots of format {labels['snapshot_format']}</>}{start && <>; started {ago(start, of.at)}</>}</p>;
}

function Look({ state: { readings, first, ready }, now }: { state: State; now: Reading }) {
  const all = warnings(first ?? now, now, ready);
  const history = readings.slice(1).map((reading, at) => figures(readings[at], reading));
  const total = figures(undefined, now);
  const last = history.at(-1);
  return (
    <>
      {all.length ? <ul class="warnings" aria-label="To look at">{all.map((one) => <li key={one} class="notice">{one}</li>)}</ul> : <p class="good" role="status">Nothing to look at.</p>}
      <section aria-label="Figures">
        <ul class="tiles">
          <Tile name="Requests a second" value={count(last?.rate ?? total.rate)} note={`${count(total.rate)} since the start`} of={history} pick={(one) => one.rate} />
          <Tile name="99 of 100 answered within" value={seconds(last?.late ?? total.late)} note={`${seconds(total.late)} since the start`} of={history} pick={(one) => one.late} />
          <Tile name="Cut by a bound" value={share(last?.capped ?? total.capped)} note={`${share(total.capped)} since the start`} of={history} pick={(one) => one.capped} />
          <Tile name="Sent away" value={count(last?.sheds ?? total.sheds)} note={`${count(total.sheds)} since the start${causes(now)}`} of={history} pick={(one) => one.sheds} />
          <Tile name="Memory" value={bytes(total.memory)} note="of the process" of={history} pick={(one) => one.memory} />
          <Tile name="Connections" value={count(total.connections)} note={`${count(sum(now, 'kith_connections_refused_total'))} refused since the start`} of={history} pick={(one) => one.connections} />
        </ul>
      </section>
      <Networks of={now} />
      <Reloads of={now} />
      <Routes of={now} />
      <p class="soft">Read every {EVERY_MS / 1000} seconds while this tab is shown; the lines are the last ten minutes of it. Latencies are read off the buckets of a histogram.</p>
    </>
  );
}

/** Why requests were sent away, as far as any was. */
function causes(now: Reading): string {
  const by = labelled(now, 'kith_sheds_total', 'cause').map((cause) => [cause, sum(now, 'kith_sheds_total', (labels) => labels['cause'] === cause) ?? 0] as const);
  const some = by.filter(([, times]) => times > 0).map(([cause, times]) => `${cause} ${count(times)}`);
  return some.length ? `: ${some.join(', ')}` : '';
}

function Tile({ name, value, note, of, pick }: { name: string; value: string; note: string; of: readonly Figures[]; pick: (one: Figures) => number | undefined }) {
  return (
    <li class="panel">
      <h2>{name}</h2>
      <p class="figure">{value}</p>
      <Chart values={of.map(pick)} said={`${name} in the last minutes, now ${value}`} />
      <p class="soft">{note}</p>
    </li>
  );
}

function Networks({ of }: { of: Reading }) {
  const all = labelled(of, 'kith_network_people', 'organization');
  const at = (name: string, organization: string) => sum(of, name, (labels) => labels['organization'] === organization);
  return (
    <section>
      <h2>Networks</h2>
      {all.length === 0 ? <p>None is in service.</p> : (
        <Table name="Networks" heads={['Organization', 'Generation', 'People', 'Snapshot', 'Memory', 'Kept of before']}
          rows={all.map((one) => [one, String(at('kith_network_generation', one) ?? '–'), count(at('kith_network_people', one)), bytes(at('kith_network_snapshot_bytes', one)), bytes(at('kith_network_index_bytes', one)), at('kith_network_kept_bytes', one) ? bytes(at('kith_network_kept_bytes', one)) : 'nothing'])} />
      )}
    </section>
  );
}

function Reloads({ of }: { of: Reading }) {
  const by = (name: string, label: string) => labelled(of, name, label)
    .map((value) => `${value} ${count(sum(of, name, (labels) => labels[label] === value))}`).join(', ') || 'none';
  return (
    <section>
      <h2>Reloads</h2>
      <dl class="facts">
        <div><dt>The last one</dt><dd>{ago(sum(of, 'kith_reload_last_timestamp_seconds'), of.at)}, in {seconds(sum(of, 'kith_reload_last_duration_seconds'))}</dd></div>
        <div><dt>The last without a refusal</dt><dd>{ago(sum(of, 'kith_reload_last_success_timestamp_seconds'), of.at)}</dd></div>
        <div><dt>Refused in the last one</dt><dd>{count(sum(of, 'kith_reload_last_refused'))}</dd></div>
        <div><dt>Reloads by result</dt><dd>{by('kith_reloads_total', 'result')}</dd></div>
        <div><dt>Files by outcome</dt><dd>{by('kith_reload_files_total', 'outcome')}</dd></div>
        <div><dt>People to forget</dt><dd>{count(sum(of, 'kith_suppression_entries'))}</dd></div>
      </dl>
    </section>
  );
}

function Routes({ of }: { of: Reading }) {
  return (
    <section>
      <h2>Routes since the start</h2>
      <Table name="Routes since the start" heads={['Route', 'Answers', 'Failed', 'Cut', 'Half within', '95 of 100', '99 of 100']}
        rows={routes(of).map((one) => [one.route, count(one.asked), count(one.failed), one.asked ? share(one.capped / one.asked) : '–', seconds(one.half), seconds(one.late), seconds(one.latest)])} />
    </section>
  );
}

function Table({ name, heads, rows }: { name: string; heads: readonly string[]; rows: readonly (readonly string[])[] }) {
  return (
    <div class="table" role="region" aria-label={name} tabIndex={0}>
      <table>
        <thead><tr>{heads.map((head) => <th key={head} scope="col">{head}</th>)}</tr></thead>
        <tbody>
          {rows.map(([first, ...rest]) => <tr key={first}><th scope="row"><bdi>{first}</bdi></th>{rest.map((cell, at) => <td key={at}>{cell}</td>)}</tr>)}
        </tbody>
      </table>
    </div>
  );
}

render(<App />, document.getElementById('app')!);
