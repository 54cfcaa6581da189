/** The first screen: the box, and where else one may begin. */

import { SearchBox } from '../searchbox.tsx';
import { link } from '../route.ts';
import type { Session } from '../types.ts';
import { Head, Name } from '../ui.tsx';

interface Door { to: string; title: string; text: string; needsMember?: boolean }

const DOORS: readonly Door[] = [
  { to: link('many'), title: 'Many at once', text: 'Paste a list of names, addresses or handles, and see the best introduction to each.' },
  { to: link('opportunities'), title: 'Opportunities', text: 'Prospects that were found for you, with the way to each.' },
  { to: link('changes'), title: 'What changed', text: 'Whom you can reach since the last snapshot, and whom no longer.' },
  { to: link('mine'), title: 'My contacts', text: 'The people you know yourself.', needsMember: true },
  { to: link('behind'), title: 'Behind my contacts', text: 'The people your contacts know, warmest first.', needsMember: true },
];

export function Home({ session }: { session: Session }) {
  return (
    <article class="home">
      <Head title="Who can introduce you?">
        <p class="lead">The network of <b><Name of={session.organization.name} /></b>: name a person or a company, or say in your own words who you are looking for.</p>
      </Head>
      <SearchBox isLarge />
      <ul class="doors">
        {DOORS.filter((door) => session.member || !door.needsMember).map((door) => (
          <li key={door.to}><a href={door.to}><b>{door.title}</b><span class="soft">{door.text}</span></a></li>
        ))}
      </ul>
    </article>
  );
}
