/** The first screen: the box, and where else one may begin. */

import { SearchBox } from '../searchbox.tsx';
import { link } from '../route.ts';
import type { Session } from '../types.ts';
import { Head, Name } from '../ui.tsx';

interface Door { to: string; title: string; text: string; leads: (session: Session) => unknown }

const DOORS: readonly Door[] = [
  { to: 'many', title: 'A list', text: 'Paste names, addresses or handles, and see the best introduction to each.', leads: () => true },
  { to: 'mine', title: 'My contacts', text: 'The people you know yourself.', leads: ({ member }) => member },
  { to: 'behind', title: 'Behind my contacts', text: 'The people your contacts know, warmest first.', leads: ({ behind }) => behind },
  { to: 'opportunities', title: 'Opportunities', text: 'Prospects that were found for you, with the way to each.', leads: ({ opportunities }) => opportunities },
  { to: 'changes', title: 'What’s new', text: 'Whom you can reach since last time, who moved, and who went quiet.', leads: ({ before, quiet }) => before !== null || quiet },
];

export function Home({ session }: { session: Session }) {
  return (
    <article class="home">
      <Head title="Who can introduce you?">
        <p class="lead">The network of <b><Name of={session.organization.name} /></b>: name a person or a company, or say in your own words who you are looking for.</p>
      </Head>
      <SearchBox isLarge />
      <ul class="doors">
        {DOORS.filter((door) => door.leads(session)).map((door) => (
          <li key={door.to}><a href={link(door.to)}><b>{door.title}</b><span class="soft">{door.text}</span></a></li>
        ))}
      </ul>
    </article>
  );
}
