/** One person: how near, how warm and why, and whom they know. */

import { useState } from 'preact/hooks';
import { Failure, get, getRows } from '../api.ts';
import { MayAlsoBe } from '../doubles.tsx';
import { Forget } from '../forget.tsx';
import { useLoad, usePages } from '../load.ts';
import { link } from '../route.ts';
import type { NetworkPage, PathPage, Person, PersonRows, Session, Tie } from '../types.ts';
import { AsksAbout } from './asks.tsx';
import { AskedNote, Face, Head, Knowers, More, Name, Notice, Reasons, Warm, When, Who } from '../ui.tsx';
import { count, counted, date, lastContact, occupation } from '../words.ts';

/** Since when two know each other, and when they last had to do with each other. */
function lasting(tie: Tie): string {
  const [since, last] = [tie.since, lastContact(tie)];
  if (!since) return 'no dates are known';
  return last ? `since ${since.slice(0, 4)}, last on ${date(last)}` : `since ${date(since)}`;
}

const NETWORK_WORDS: Record<string, string> = {
  synced: 'These are the contacts they brought in themselves.',
  derived: 'Seen indirectly: a part of the people they know.',
  none: 'Whom they know is not mapped. That does not mean that they know nobody.',
};

export function PersonScreen({ id, session }: { id: string; session: Session }) {
  const [loaded, again] = useLoad(id, async (signal) => {
    try {
      return (await get<{ data: Person }>(`people/${encodeURIComponent(id)}`, { include: 'evidence,ties' }, signal)).data;
    } catch (cause) {
      if (cause instanceof Failure && cause.status === 404) return null;
      throw cause;
    }
  });
  return (
    <article>
      <When of={loaded} again={again}>
        {(person) => person ? <About person={person} session={session} /> : (
          <>
            <Head title="Outside your network" />
            <p>Nobody of your organization knows this person, and none of your contacts does, as far as is known here.</p>
            <p><a href={link('paths', id)}>Look for a way by an advocate</a></p>
          </>
        )}
      </When>
    </article>
  );
}

function About({ person, session }: { person: Person; session: Session }) {
  const company = person.currentCompany;
  const ties = person.ties ?? [];
  const isMine = ties.some((tie) => tie.userId === session.member?.userId);
  const knowers = isMine ? ties.length > 1 ? `You and ${counted(ties.length - 1, 'colleague')}.` : 'You alone.' : `${counted(ties.length, 'colleague')} of yours.`;
  const [forgotten, setForgotten] = useState(0);
  if (forgotten) {
    return (
      <>
        <Head title="Forgotten" />
        <p role="status">{counted(forgotten, 'person is', 'people are')} forgotten: nobody is shown them any more, and later imports leave them out.</p>
        <p><a href={link('')}>To the first page</a></p>
      </>
    );
  }
  return (
    <>
      <Head title={person.name}>
        <p class="lead">
          <bdi>{occupation(person.position, undefined)}</bdi>
          {company && <>{person.position && ' at '}<a href={link('company', company.id)}><bdi>{company.name}</bdi></a></>}
          {person.city && <span class="soft"> · <bdi>{person.city}</bdi></span>}
          {person.linkedinId && <span class="links"><a href={`https://www.linkedin.com/in/${encodeURIComponent(person.linkedinId)}`} target="_blank" rel="noopener noreferrer">Profile on LinkedIn</a></span>}
        </p>
      </Head>
      <AskedNote of={person} />
      <MayAlsoBe id={person.id} />
      <p><a class="button main" href={link('paths', person.id)}>{isMine ? 'All ways to them' : 'Who can introduce me?'}</a></p>
      <section class="panel">
        <h2>Who knows them</h2>
        <p>{person.degree === 'first' ? knowers : 'Known by people whom your colleagues know.'} {person.connectionsCount !== undefined && <span class="soft">{counted(person.connectionsCount, 'connection')} in all.</span>}</p>
        {ties.length > 0 && (
          <ul class="rows">
            {ties.map((tie) => (
              <li key={tie.userId} class="line">
                <span class="faced">
                  <Face name={tie.name} />
                  <span class="who"><b><Name of={tie.name} /></b><span class="soft">{lasting(tie)}</span></span>
                </span>
                <Warm score={tie.warmness} />
              </li>
            ))}
          </ul>
        )}
        {ties.length > 0 && <h3>Why <Name of={ties[0]!.name} /> knows them best</h3>}
        <Reasons signals={person.warmnessSignals} breakdown={person.warmnessBreakdown} evidence={person.evidence} />
      </section>
      {session.asks && <AsksAbout id={person.id} session={session} />}
      {company && <AtTheFirm company={company} without={person.id} />}
      {person.degree === 'first' && <Knows id={person.id} />}
      {session.report && <ComesFrom id={person.id} />}
      {session.forgets && <Forget person={person} onForgotten={setForgotten} />}
    </>
  );
}

/** Others at the same firm, the warmest ways first. */
function AtTheFirm({ company, without }: { company: { id: string; name: string }; without: string }) {
  const [loaded] = useLoad(company.id, async (signal) =>
    (await get<{ data: PathPage }>('search/warm-paths', { prospectId: company.id, groupBy: 'target', sort: 'warmness', limit: 6 }, signal)).data);
  const paths = loaded.at === 'ready' ? loaded.value.paths.filter((path) => path.target && path.target.id !== without).slice(0, 5) : [];
  if (!paths.length) return null;
  return (
    <section class="panel">
      <h2>Others at <a href={link('company', company.id)}><Name of={company.name} /></a></h2>
      <ul class="rows">
        {paths.map((path) => (
          <li key={path.target!.id} class="line">
            <Who name={path.target!.name} href={link('paths', path.target!.id)} position={path.target!.position} />
            <span class="last"><Knowers of={[{ userId: path.fromUserId, name: path.fromUserName }]} /><Warm score={path.warmness} /></span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const RULES: Record<string, string> = {
  handle: 'the same profile', address: 'the same address', override: 'you said so', contact: 'wrote or met',
  own: 'the owner’s own', 'name and address': 'name and address', 'name and company': 'name and company', 'name and phone number': 'name and phone number',
};

/** The rows of the imported files behind this person, by file. */
function ComesFrom({ id }: { id: string }) {
  const [loaded] = useLoad(id, (signal) => getRows(id, signal));
  const { rows, totalCount } = loaded.at === 'ready' ? loaded.value : { rows: [], totalCount: 0 };
  const files = new Map<string, PersonRows['rows']>();
  for (const row of rows) files.set(row.file, [...files.get(row.file) ?? [], row]);
  if (!rows.length) return null;
  return (
    <section class="panel">
      <h2>Where this comes from</h2>
      <ul class="rows">
        {[...files].map(([file, of]) => (
          <li key={file} class="line">
            <span class="who"><b><bdi>{file}</bdi></b><span class="soft">{of.length === 1 ? `line ${count(of[0]!.line)}` : `${count(of.length)} rows, the first in line ${count(of[0]!.line)}`}</span></span>
            <span class="soft">{[...new Set(of.map(({ rule }) => RULES[rule]).filter(Boolean))].join(', ')}</span>
          </li>
        ))}
      </ul>
      {totalCount > rows.length && <p class="soft">{count(totalCount - rows.length)} further rows.</p>}
    </section>
  );
}

function Knows({ id }: { id: string }) {
  const { loaded, all, again, more, isMore, failure } = usePages(id,
    async (offset, signal) => (await get<{ data: NetworkPage }>('people/network', { personId: id, offset, limit: 20 }, signal)).data,
    (page) => page.connections);
  return (
    <section>
      <h2>Whom they know</h2>
      <When of={loaded} again={again}>
        {(page) => (
          <>
            <p class="soft">{NETWORK_WORDS[page.coverage] ?? page.coverage}</p>
            {page.excludedIntroRequested > 0 && (
              <Notice kind="plain">{counted(page.excludedIntroRequested, 'person is', 'people are')} left out: an introduction to them was asked for already.</Notice>
            )}
            <ul class="rows">
              {all.map((one) => (
                <li key={one.id} class="line">
                  <Who name={one.name} href={link('paths', one.id)} position={one.position} company={one.currentCompany} />
                  <Warm score={one.warmness} />
                </li>
              ))}
            </ul>
            {all.length > 0 && <More more={more} isMore={isMore} failure={failure} shown={all.length} total={page.totalCount} one="person" many="people" />}
          </>
        )}
      </When>
    </section>
  );
}
