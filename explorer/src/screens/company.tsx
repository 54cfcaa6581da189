/** A company: who is known there, who knows them best, and the way to each. */

import { useEffect, useMemo, useState } from 'preact/hooks';
import { Draft } from '../draft.tsx';
import type { Row } from '../pathlist.tsx';
import { link, tune } from '../route.ts';
import type { Route } from '../route.ts';
import { Table } from '../table.tsx';
import type { Column } from '../table.tsx';
import type { Session } from '../types.ts';
import { Face, Failed, Head, Knowers, Loading, Name, Notice, Warm, Who } from '../ui.tsx';
import { count, counted, coverageWords, date, fileName, TYPE_WORDS, unfolded } from '../words.ts';
import { asRows, exported, Filters, NoPaths, usePaths } from './paths.tsx';

/** When those who are at the end of the way last had to do with each other. */
const lastContact = ({ path, target }: Row): string | undefined => unfolded(path, target).legs.at(-1)?.evidence?.[0]?.at.slice(0, 10);

export function CompanyPaths({ route, session }: { route: Route; session: Session }) {
  const { loaded, all, again, members, ...further } = usePaths(route, session);
  const [ask, setAsk] = useState<Row>();
  const [position, setPosition] = useState(route.params.get('position') ?? '');
  const page = loaded.at === 'ready' ? loaded.value : undefined;
  const company = page?.company;
  const rows = useMemo(() => asRows(all, null), [all]);
  useEffect(() => setPosition(route.params.get('position') ?? ''), [route.params.get('position')]);
  const at = [company?.industry, company?.headquartersLocation].filter(Boolean).join(' · ');
  const columns: Column<Row>[] = [
    { name: 'Name', value: ({ target }) => target.name, cell: ({ target }) => <Who name={target.name} href={link('paths', target.id)} /> },
    { name: 'Position', value: ({ target }) => target.position },
    { name: 'Who knows', value: ({ path }) => path.fromUserName, cell: ({ path }) => <Knowers of={[{ userId: path.fromUserId, name: path.fromUserName }]} /> },
    { name: 'Way', value: ({ path }) => TYPE_WORDS[path.connectionType], cell: ({ path, target }) => <>{TYPE_WORDS[path.connectionType]}{!!path.alternatives && <>, <a href={link('paths', target.id)}>{counted(path.alternatives, 'more way')}</a></>}</> },
    { name: 'Last contact', value: lastContact, cell: (row) => <span class="day">{date(lastContact(row))}</span> },
    { name: 'Strength', value: ({ path }) => path.warmness, cell: ({ path }) => <Warm score={path.warmness} /> },
    { name: 'Next', cell: (row) => <button type="button" class="text" onClick={() => setAsk(row)}>Ask<span class="unseen"> for <Name of={row.target.name} /></span></button> },
  ];
  return (
    <article class="wide">
      <div class="faced">
        {company && <Face name={company.name} isFirm />}
        <Head title={company?.name ?? (page ? 'No such company' : 'Company')}>
          {company && <p class="lead"><bdi>{at}</bdi><span class="links"><a href={link('ask', '', { q: `used to work at ${company.name}` })}>Who was there before</a></span></p>}
        </Head>
      </div>
      <form class="inline" onSubmit={(event) => { event.preventDefault(); tune(route, { position: position.trim() }); }}>
        <label class="field">Only positions with
          <input type="text" dir="auto" maxLength={200} value={position} placeholder="engineer, sales, …"
            onInput={(event) => setPosition(event.currentTarget.value)} />
        </label>
        <button type="submit">Look</button>
      </form>
      <Filters route={route} session={session} members={members} />
      {loaded.at === 'loading' && <Loading what="Looking for people there…" />}
      {loaded.at === 'failed' && <Failed failure={loaded.failure} again={again} />}
      {page && (
        <>
          <Notice>{coverageWords(page.coverage)}</Notice>
          {page.excludedIntroRequested > 0 && (
            <Notice kind="plain">{counted(page.excludedIntroRequested, 'person is', 'people are')} left out: an introduction to them was asked for already.</Notice>
          )}
          {!rows.length && <NoPaths page={page} route={route} />}
          {rows.length > 0 && (
            <>
              <p class="summary" role="status">{counted(page.totalCount, 'person', 'people')} you can be introduced to, out of {count(page.coverage.candidatePeople)} looked at.</p>
              <Table id="company" name="People there" one="person" many="people" columns={columns} rows={rows} keyOf={(row) => row.target.id}
                further={{ ...further, total: page.totalCount }} file={fileName(company?.name ?? '', 'csv')} saved={exported} />
            </>
          )}
        </>
      )}
      {ask && <Draft path={ask.path} target={ask.target} session={session} close={() => setAsk(undefined)} />}
    </article>
  );
}
