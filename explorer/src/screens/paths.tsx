/** Introductions to a person, and what the screen of a company shares with it. */

import { useEffect, useMemo, useState } from 'preact/hooks';
import { get } from '../api.ts';
import { MayAlsoBe } from '../doubles.tsx';
import { Draft } from '../draft.tsx';
import { usePages } from '../load.ts';
import { PathList } from '../pathlist.tsx';
import type { Row } from '../pathlist.tsx';
import { Picture } from '../picture.tsx';
import { changed, link, tune } from '../route.ts';
import type { Route } from '../route.ts';
import { PATH_TYPES } from '../types.ts';
import type { PathPage, PathType, PersonCard, Session, WarmPath } from '../types.ts';
import { AskedNote, Choices, Failed, Head, Loading, More, Notice } from '../ui.tsx';
import {
  counted, coverageWords, csv, fileName, isGuess, legWords, matchWords, occupation, reasonWords, save, TYPE_SHORT, TYPE_WORDS, unfolded,
} from '../words.ts';

const PAGE = 50;

const SORTS = ['tier', 'warmness'] as const;
const SORT_WORDS = { tier: 'Shortest first', warmness: 'Warmest first' } as const;

function typesOf(route: Route): PathType[] {
  const named = route.params.get('type')?.split(',') ?? [];
  const types = PATH_TYPES.filter((type) => named.includes(type));
  return types.length ? types : [...PATH_TYPES];
}

/** What a path leads to: the person asked for, or in a company the employee. */
function targetOf(path: WarmPath, prospect: PersonCard | null): PersonCard {
  return path.target ?? prospect ?? { id: '', name: '' };
}

export function asRows(paths: readonly WarmPath[], prospect: PersonCard | null): Row[] {
  return paths.map((path, key) => ({ key, path, target: targetOf(path, prospect) }));
}

export function exported(rows: readonly Row[]): string {
  const head = ['rank', 'type', 'warmness', 'member', 'advocate', 'contact', 'to meet', 'position', 'company'];
  return csv([head, ...rows.map(({ key, path, target }) => {
    const { steps } = unfolded(path, target);
    const named = (column: number) => steps.find((step) => step.column === column)?.name;
    return [key + 1, TYPE_WORDS[path.connectionType], path.warmness, named(0), named(1), named(2), target.name, target.position, target.company];
  })]);
}

/** The filters that both screens have. */
export function Filters({ route, session, members }: { route: Route; session: Session; members: Map<string, string> }) {
  const types = typesOf(route);
  const sort = route.params.get('sort') === 'warmness' ? 'warmness' : 'tier';
  const from = route.params.get('from') ?? '';
  // Of a company the people come first: its filters are folded unless some are set.
  const isFolded = route.screen === 'company';
  const isNarrowed = ['type', 'from', 'scope', 'sort', 'asked'].some((name) => route.params.get(name));
  return (
    <details class={isFolded ? undefined : 'fold'} open={isFolded ? isNarrowed : matchMedia('(min-width: 44rem)').matches}>
      <summary>Narrow it down</summary>
      <div class="filters">
      <Choices name="Ways" type="checkbox" of={PATH_TYPES} words={(type) => TYPE_SHORT[type]} chosen={types}
        onChange={(chosen) => tune(route, { type: chosen.length % PATH_TYPES.length ? chosen.join(',') : '' })} />
      <Choices name="Order" of={SORTS} words={(one) => SORT_WORDS[one]} chosen={[sort]}
        onChange={([one]) => tune(route, { sort: one === 'tier' ? '' : one })} />
      <fieldset class="choices">
        <legend>Show</legend>
        {session.member && (
          <label><input type="checkbox" checked={route.params.get('scope') === 'me'}
            onChange={(event) => tune(route, { scope: event.currentTarget.checked ? 'me' : '', from: '' })} /><span>Only mine</span></label>
        )}
        {route.screen === 'paths' && (
          <label><input type="checkbox" checked={route.params.get('each') === 'connector'}
            onChange={(event) => tune(route, { each: event.currentTarget.checked ? 'connector' : '' })} /><span>One for each person to ask</span></label>
        )}
        {route.screen === 'company' && (
          <label><input type="checkbox" checked={route.params.get('asked') === 'true'}
            onChange={(event) => tune(route, { asked: event.currentTarget.checked ? 'true' : '' })} /><span>Also people asked for already</span></label>
        )}
      </fieldset>
      <label class="field">From
        <select value={from} onChange={(event) => tune(route, { from: event.currentTarget.value })}>
          <option value="">anybody</option>
          {[...members].sort((a, b) => a[1].localeCompare(b[1])).map(([id, name]) => <option key={id} value={id}>{name}</option>)}
        </select>
      </label>
      </div>
    </details>
  );
}

/** Asks for the paths that the route says, page by page, and knows the members met so far. */
export function usePaths(route: Route, session: Session) {
  const { id, params } = route;
  const isPerson = route.screen === 'paths';
  const types = typesOf(route);
  const asked = {
    prospectId: id,
    connectionTypes: types.length === PATH_TYPES.length ? undefined : types.join(','),
    sort: params.get('sort') ?? undefined,
    groupBy: isPerson ? params.get('each') ?? undefined : 'target',
    scope: params.get('scope') ?? undefined,
    fromUserIds: params.get('from') ?? undefined,
    position: isPerson ? undefined : params.get('position') ?? undefined,
    includeIntroRequested: isPerson ? undefined : params.get('asked') ?? undefined,
    include: session.asks ? 'match,reasons,evidence,asks' : 'match,reasons,evidence',
    limit: PAGE,
  };
  const pages = usePages(JSON.stringify(asked),
    async (offset, signal) => (await get<{ data: PathPage }>('search/warm-paths', { ...asked, offset }, signal)).data,
    (page) => page.paths);
  const [members, setMembers] = useState(new Map<string, string>());
  useEffect(() => setMembers(new Map()), [id]);
  useEffect(() => {
    if (pages.all.length) setMembers((before) => new Map([...before, ...pages.all.map((path) => [path.fromUserId, path.fromUserName] as const)]));
  }, [pages.all.length, JSON.stringify(asked)]);
  return { ...pages, members };
}

/** The sentence above the paths. */
function summary(page: PathPage, first: WarmPath | undefined): string {
  if (!first) return '';
  const many = counted(page.totalCount, 'introduction');
  return `${many}. The first leads from ${first.fromUserName}.`;
}

export function PersonPaths({ route, session }: { route: Route; session: Session }) {
  const { loaded, all, again, more, isMore, failure, members } = usePaths(route, session);
  const [lit, setLit] = useState<number>();
  const [selected, setSelected] = useState<number | undefined>(0);
  const [ask, setAsk] = useState<Row>();
  const page = loaded.at === 'ready' ? loaded.value : undefined;
  useEffect(() => { setSelected(0); setLit(undefined); }, [page]);
  const prospect = page?.prospect ?? null;
  const rows = useMemo(() => asRows(all, prospect), [all.length, page]);
  const drawn = useMemo(() => rows.map(({ key, path, target }) => {
    const { steps, legs } = unfolded(path, target);
    return { key, steps, warmth: legs.map((leg) => leg.warmness ?? 0), guesses: legs.map(isGuess), words: legs.map(legWords) };
  }), [rows]);
  const byType = route.params.get('sort') !== 'warmness';
  return (
    <article class="wide">
      <Head title={prospect?.name ?? (page ? 'Nobody found' : 'Introductions')}>
        {prospect && (
          <p class="lead">
            <bdi>{occupation(prospect.position, prospect.company)}</bdi>
            <span class="links"><a href={link('person', prospect.id)}>About this person</a></span>
          </p>
        )}
      </Head>
      {prospect && <AskedNote of={prospect} />}
      {prospect && <MayAlsoBe id={prospect.id} />}
      {page?.match?.others ? <Notice kind="plain">{matchWords(page.match)}</Notice> : null}
      <Filters route={route} session={session} members={members} />
      {loaded.at === 'loading' && <Loading what="Looking for introductions…" />}
      {loaded.at === 'failed' && <Failed failure={loaded.failure} again={again} />}
      {page && (
        <>
          <Notice>{coverageWords(page.coverage)}</Notice>
          {!rows.length && <NoPaths page={page} route={route} />}
          {rows.length > 0 && prospect && (
            <>
              <p class="summary" role="status">{summary(page, all[0])}</p>
              <div class="split">
                <div>
                  <PathList rows={rows} byType={byType} lit={lit} selected={selected} withTarget={false}
                    onLight={setLit} onSelect={setSelected} onAsk={setAsk} />
                  <More more={more} isMore={isMore} failure={failure} shown={rows.length} total={page.totalCount} one="introduction" />
                  <Export rows={rows} name={prospect.name} />
                </div>
                <Picture paths={drawn} total={page.totalCount} lit={lit} selected={selected} about={prospect.name}
                  onLight={setLit} onPick={setSelected} />
              </div>
            </>
          )}
        </>
      )}
      {ask && <Draft path={ask.path} target={ask.target} session={session} close={() => setAsk(undefined)} />}
    </article>
  );
}

function Export({ rows, name }: { rows: readonly Row[]; name: string }) {
  return (
    <p class="export">
      <button type="button" class="plain" onClick={() => save(fileName(name, 'csv'), 'text/csv', exported(rows))}>Save as CSV</button>
      <span class="soft"> A saved file stays as it is when somebody asks to be forgotten.</span>
    </p>
  );
}

export function NoPaths({ page, route }: { page: PathPage; route: Route }) {
  const reasons = page.reasons ?? [];
  const isNarrowed = ['type', 'from', 'scope', 'position'].some((name) => route.params.get(name));
  return (
    <div class="empty">
      <p><b>{page.prospect || page.company ? 'No introduction was found.' : 'Nobody here goes by that id.'}</b></p>
      {reasons.map((reason) => <p key={reason.code}>{reasonWords(reason)}</p>)}
      {isNarrowed && <p><a href={changed(route, { type: '', from: '', scope: '', position: '' })}>Look again without filters</a></p>}
    </div>
  );
}

