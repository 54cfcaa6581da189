/** The caller's own contacts, and the people behind them. */

import { get } from '../api.ts';
import { usePages } from '../load.ts';
import { link } from '../route.ts';
import type { Route } from '../route.ts';
import type { BehindPage, ContactPage, Listed } from '../types.ts';
import { Head, More, Name, Notice, Warm, When, Who } from '../ui.tsx';
import { count, counted } from '../words.ts';

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

export function Mine() {
  const { loaded, all, again, more, isMore, failure } = usePages('',
    async (offset, signal) => (await get<{ data: ContactPage }>('connections', { offset, limit: PAGE }, signal)).data,
    (page) => page.connections);
  return (
    <article>
      <Head title="My contacts"><p class="lead">The people you know yourself, by name.</p></Head>
      <When of={loaded} again={again}>
        {(page) => page.totalCount === 0 ? <div class="empty"><p>No contact of yours is known here.</p></div> : (
          <>
            <ul class="rows columns">
              {all.map((one) => (
                <li key={one.id} class="line">
                  <Who name={one.name} href={link('person', one.id)} position={one.position} company={one.currentCompany} />
                  <a class="soft" href={link('behind', one.id)}>whom they know<span class="unseen"> (<Name of={one.name} />)</span></a>
                </li>
              ))}
            </ul>
            <More more={more} isMore={isMore} failure={failure} shown={all.length} total={page.totalCount} one="contact" />
          </>
        )}
      </When>
    </article>
  );
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
