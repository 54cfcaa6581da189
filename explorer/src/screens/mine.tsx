/** The caller's own contacts, and the people behind them. */

import { get } from '../api.ts';
import { usePages } from '../load.ts';
import { link } from '../route.ts';
import type { Route } from '../route.ts';
import { Table } from '../table.tsx';
import type { Column } from '../table.tsx';
import type { BehindPage, ContactPage, Listed, PeoplePage, PersonHit, Session, Tie } from '../types.ts';
import { Head, Knowers, More, Name, Notice, Warm, When, Who } from '../ui.tsx';
import { count, counted, date, lastContact } from '../words.ts';

/** The most rows that the API gives at once. */
const PAGE = 50;
/** The people shown of one contact before "more". */
const EACH = 5;

export function NeedsToken({ title }: { title: string }) {
  return (
    <article>
      <Head title={title} />
      <div class="empty"><p><b>You are logged in as the whole organization.</b></p><p>To see your own contacts, log out and in again with a token of your own.</p></div>
    </article>
  );
}

export function Mine({ session }: { session: Session }) {
  const { loaded, all, again, ...further } = usePages('',
    async (offset, signal) => (await get<{ data: ContactPage }>('connections', { offset, limit: PAGE, include: 'ties' }, signal)).data,
    (page) => page.connections);
  const own = (one: Listed) => one.ties?.find((tie) => tie.userId === session.member?.userId);
  const columns: Column<Listed>[] = [
    { name: 'Name', value: (one) => one.name, cell: (one) => <Who name={one.name} href={link('person', one.id)} /> },
    { name: 'Position', value: (one) => one.position },
    { name: 'Company', value: (one) => one.currentCompany },
    ...columnsOfTies<Listed>((one) => one.ties, own),
    { name: 'Behind', cell: (one) => <a class="soft" href={link('behind', one.id)}>whom they know<span class="unseen"> (<Name of={one.name} />)</span></a> },
  ];
  return (
    <article class="wide">
      <Head title="My contacts"><p class="lead">The people you know yourself.</p></Head>
      <When of={loaded} again={again}>
        {(page) => page.totalCount === 0 ? <div class="empty"><p>No contact of yours is known here.</p></div> : (
          <Table id="mine" name="My contacts" one="contact" columns={columns} rows={all} keyOf={(row) => row.id}
            further={{ ...further, total: page.totalCount }} file="contacts.csv" />
        )}
      </When>
    </article>
  );
}

/** People whose name, position or company has the text that was typed, and who of the team knows them. */
export function People({ route }: { route: Route }) {
  const q = route.params.get('q') ?? '';
  const { loaded, all, again, ...further } = usePages(q,
    (offset, signal) => get<PeoplePage>('search/people', { q, offset, limit: PAGE, include: 'ties' }, signal),
    (page) => page.data);
  const columns: Column<PersonHit>[] = [
    { name: 'Name', value: (one) => one.name, cell: (one) => <Who name={one.name} href={link('paths', one.id)} /> },
    { name: 'Position', value: (one) => one.position },
    { name: 'Company', value: (one) => one.company },
    { name: 'Place', value: (one) => one.city, isExtra: true },
    ...columnsOfTies<PersonHit>((one) => one.ties, (one) => one.ties?.[0]),
  ];
  return (
    <article class="wide">
      <Head title={`People with “${q}”`}><p class="lead">In their name, position or company. Those without a colleague are known by people whom your colleagues know.</p></Head>
      <When of={loaded} again={again}>
        {(page) => page.totalCount === 0 ? <div class="empty"><p>Nobody here has that in their name, position or company.</p></div> : (
          <Table id="people" name="People" one="person" many="people" columns={columns} rows={all} keyOf={(row) => row.id}
            further={{ ...further, total: page.totalCount }} file="people.csv" />
        )}
      </When>
    </article>
  );
}

/** Who knows a person, when they last had to do with each other, and how strong the tie of `own` is. */
function columnsOfTies<T>(all: (row: T) => readonly Tie[] | undefined, own: (row: T) => Tie | undefined): Column<T>[] {
  return [
    { name: 'Who knows', value: (row) => all(row)?.map((tie) => tie.name).join(', '), cell: (row) => <Knowers of={all(row) ?? []} /> },
    { name: 'Last contact', value: (row) => lastContact(own(row)), cell: (row) => <span class="day">{date(lastContact(own(row)))}</span> },
    { name: 'Since', value: (row) => own(row)?.since, cell: (row) => <span class="day">{date(own(row)?.since)}</span>, isExtra: true },
    { name: 'Strength', value: (row) => own(row)?.warmness, cell: (row) => own(row) && <Warm score={own(row)?.warmness} /> },
  ];
}

interface Group { id: string; name: string; people: Listed[] }

/** The people by the contact they are known through, in the order in which the contacts come up. */
function grouped(all: readonly Listed[]): Group[] {
  const groups = new Map<string, Group>();
  for (const one of all) {
    const via = one.viaConnector ?? { id: '', name: '' };
    const group = groups.get(via.id) ?? { ...via, people: [] };
    group.people.push(one);
    groups.set(via.id, group);
  }
  return [...groups.values()];
}

export function Behind({ route }: { route: Route }) {
  const via = route.id || undefined;
  const { loaded, all, again, more, isMore, failure } = usePages(via ?? '',
    async (offset, signal) => (await get<{ data: BehindPage }>('connections/second-degree', { viaConnectorId: via, offset, limit: PAGE }, signal)).data,
    (page) => page.connections);
  const groups = grouped(all);
  return (
    <article>
      <Head title="Behind my contacts">
        <p class="lead">People you do not know, by the contact who knows them best.{via && <> <a href={link('behind')}>Show all contacts</a></>}</p>
      </Head>
      <When of={loaded} again={again}>
        {(page) => (
          <>
            {page.capped && <Notice>Only the warmest of them are looked at: {counted(page.scannedBridges, 'contact')} of yours, and the warmest people behind each. There are more.</Notice>}
            {page.totalCount === 0 ? <div class="empty"><p>Nobody is known behind {via ? 'this contact' : 'your contacts'}.</p></div> : (
              <>
                <div class="groups">
                  {groups.map((group) => <GroupOf key={group.id} group={group} isAlone={!!via} />)}
                </div>
                <More more={more} isMore={isMore} failure={failure} shown={all.length} total={page.totalCount} one="person" many="people" />
              </>
            )}
          </>
        )}
      </When>
    </article>
  );
}

function GroupOf({ group, isAlone }: { group: Group; isAlone: boolean }) {
  const shown = isAlone ? group.people : group.people.slice(0, EACH);
  const left = group.people.length - shown.length;
  return (
    <section class="panel">
      <h2><a href={link('person', group.id)}><Name of={group.name} /></a></h2>
      <ul class="rows">
        {shown.map((one) => (
          <li key={one.id} class="line">
            <Who name={one.name} href={link('paths', one.id, { scope: 'me' })} position={one.position} company={one.currentCompany} />
            <Warm score={one.warmness} />
          </li>
        ))}
      </ul>
      {!isAlone && <p><a href={link('behind', group.id)}>{left > 0 ? `${count(left)} more, and all others behind` : 'All behind'} <Name of={group.name} /></a></p>}
    </section>
  );
}
