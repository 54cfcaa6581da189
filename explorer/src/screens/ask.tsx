/** A question in plain words: who fits, what was understood, and by which engine. */

import { useEffect, useState } from 'preact/hooks';
import { Failure, post } from '../api.ts';
import { useLoad } from '../load.ts';
import { go, link, tune } from '../route.ts';
import type { Route } from '../route.ts';
import type { NetworkAnswer } from '../types.ts';
import { Ignored, MatchedBy, UnderstoodTerms } from '../understood.tsx';
import { Choices, Head, Knowers, Notice, Warm, When, Who } from '../ui.tsx';
import { count, counted, words } from '../words.ts';

const LIMIT = 50;
const STRICTNESS = ['1', '2', '3'] as const;
const STRICT_WORDS = { 1: 'Roughly', 2: 'Mostly', 3: 'Exactly' } as const;
const NETWORKS = ['user', 'advocate', 'organization'] as const;
const NETWORK_WORDS = { user: 'My contacts', advocate: 'My advocates’', organization: 'The whole organization’s' } as const;
const ENGINES: Record<string, string> = {
  'graph-vector': 'by what the words mean',
  'graph-keyword': 'by the words themselves',
  relational: 'by the tables of the network',
};

/** The advocates who know them; the colleagues have faces. */
function advocates(sources: NetworkAnswer['data'][number]['connectionSources']): string[] {
  return sources.filter(({ type }) => type === 'advocate').map(({ name }) => `Known by the advocate ${name}`);
}

/** Asks also for what was understood; a server that knows no such word is asked without it. */
async function search(body: object, signal: AbortSignal): Promise<NetworkAnswer> {
  try {
    return await post('search/network', { ...body, include: ['ids', 'understood', 'ties'] }, signal);
  } catch (cause) {
    if (!(cause instanceof Failure) || cause.status !== 400 || !cause.message.includes('include')) throw cause;
    return post('search/network', { ...body, include: ['ids'] }, signal);
  }
}

export function Ask({ route }: { route: Route }) {
  const q = route.params.get('q') ?? '';
  const strictness = STRICTNESS.find((one) => one === route.params.get('fit')) ?? '1';
  const named = (route.params.get('in') ?? '').split(',');
  const networks = NETWORKS.filter((one) => named.includes(one));
  const [text, setText] = useState(q);
  useEffect(() => setText(q), [q]);
  const body = { query: q, strictness: Number(strictness), networks: networks.length ? networks : undefined, limit: LIMIT };
  const [loaded, again] = useLoad(JSON.stringify(body), async (signal) => q ? search(body, signal) : null);
  return (
    <article>
      <Head title="Ask in plain words" />
      <form class="inline" onSubmit={(event) => { event.preventDefault(); if (text.trim()) go(link('ask', '', { ...Object.fromEntries(route.params), q: text.trim() })); }}>
        <label class="field grow">Who are you looking for?
          <input type="text" dir="auto" maxLength={1000} value={text} placeholder="heads of finance at software companies in Berlin" onInput={(event) => setText(event.currentTarget.value)} />
        </label>
        <button type="submit" class="main">Ask</button>
      </form>
      <div class="filters">
        <Choices name="Fit" of={STRICTNESS} words={(one) => STRICT_WORDS[one]} chosen={[strictness]} onChange={([one]) => tune(route, { fit: one === '1' ? '' : one })} />
        <Choices name="Among" type="checkbox" of={NETWORKS} words={(one) => NETWORK_WORDS[one]} chosen={networks.length ? networks : [...NETWORKS]}
          onChange={(chosen) => tune(route, { in: chosen.length % NETWORKS.length ? chosen.join(',') : '' })} />
      </div>
      <When of={loaded} again={again} what="Reading the question…">{(answer) => answer && <Answer of={answer} q={q} />}</When>
    </article>
  );
}

/** Whether a question looks like a name and was read as none: words with capitals, for which others near to them were found. */
function isNobody(q: string, understood: NetworkAnswer['meta']['understood']): boolean {
  const [only, ...others] = understood ?? [];
  return /^\p{Lu}\p{L}+( \p{Lu}\p{L}+)+$/u.test(q) && only?.kind === 'topic' && !!only.widenedTo?.length && !others.length;
}

/** How many people fit, of several conditions first how many fit all. */
function fitting({ counts, totalCount, understood }: NetworkAnswer['meta']): string {
  const others = totalCount - (counts?.every ?? totalCount);
  if (!counts || others <= 0 || (understood?.length ?? 0) < 2) return counted(totalCount, 'person fits', 'people fit');
  if (!counts.every) return `Nobody fits all of it; ${counted(others, 'person fits', 'people fit')} in part`;
  return `${counted(counts.every, 'person fits', 'people fit')} all of it and ${counts.every === 1 ? 'comes' : 'come'} first; ${count(others)} more in part`;
}

function Answer({ of: { data, meta }, q }: { of: NetworkAnswer; q: string }) {
  return (
    <>
      {isNobody(q, meta.understood) && <Notice>Nobody here is called “<bdi>{q}</bdi>”. The people below fit what the words may mean.</Notice>}
      {meta.understood ? <UnderstoodTerms of={meta.understood} counts={meta.counts} /> : meta.searchTerms.length > 0 && <ul class="chips terms" aria-label="Understood"><li class="soft">Understood</li>{meta.searchTerms.map((term, at) => <li key={at}><bdi>{term}</bdi></li>)}</ul>}
      <p class="soft small"><Ignored words={meta.ignored} />{!meta.searchTerms.length && 'No word of it was understood as a condition. '}Looked for {ENGINES[meta.backend] ?? words(meta.backend)}.</p>
      {meta.fallback && <Notice kind="plain">The engine “{words(meta.fallback.from)}” could not answer ({words(meta.fallback.reason)}); another one did.</Notice>}
      {!data.length && <div class="empty"><p><b>Nobody fits.</b></p><p>Ask for less, or let it fit roughly.</p></div>}
      {data.length > 0 && (
        <>
          <p class="summary" role="status">{fitting(meta)}{meta.returnedCount < meta.totalCount && `; the first ${count(meta.returnedCount)} are shown`}.</p>
          <ul class="rows">
            {data.map(({ person, currentCompany: company, warmness, connectionSources: sources, matched, ties }) => (
              <li key={person.id} class="line">
                <span>
                  <Who name={person.name} href={link('paths', person.id)} position={person.position} company={company?.name} />
                  <span class="soft small">{[[person.city, person.country].filter(Boolean).join(', '), company?.industry, ...advocates(sources)].filter(Boolean).join(' · ')}</span>
                  <MatchedBy of={matched} terms={meta.understood} />
                </span>
                <span class="last"><Knowers of={ties ?? []} /><Warm score={warmness} /></span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
