/** Who is logged in, the tokens by which their programs call kith in their name, and an admin's links for colleagues. */

import { useState } from 'preact/hooks';
import type { Failure } from '../api.ts';
import { getTokens, press, takeBack } from '../api.ts';
import { useLoad } from '../load.ts';
import type { OwnToken, OwnTokens, Session } from '../types.ts';
import { Copy, Failed, Head, Name, When } from '../ui.tsx';
import { counted, date } from '../words.ts';
import { Colleagues } from './colleagues.tsx';

const DAYS = [7, 30, 90] as const;
/** What a token may be for. */
const KINDS = ['read', 'write', 'feed'] as const;
type Kind = typeof KINDS[number];
const KIND_WORDS: Record<Kind, string> = { read: 'read', write: 'record asks too', feed: 'fetch your feed alone' };

export function You({ session }: { session: Session }) {
  const { member, organization } = session;
  return (
    <article>
      <Head title="You">
        <p class="lead">
          {member ? <><Name of={member.name} />, in the network of <Name of={organization.name} />.</>
            : <>You see the network of <Name of={organization.name} /> by a key of the organization.</>}
        </p>
      </Head>
      {session.invites && <Colleagues />}
      {session.tokens && <Tokens session={session} />}
    </article>
  );
}

function Tokens({ session }: { session: Session }) {
  const [loaded, again] = useLoad('', getTokens);
  return (
    <section aria-labelledby="tokens">
      <h2 id="tokens">Your tokens</h2>
      <p class="soft">A program or an assistant that has one sees what you see. Each ends by itself, or when you take it back.</p>
      <When of={loaded} again={again} what="Fetching your tokens…">
        {(held) => <Held held={held} again={again} kinds={KINDS.filter((kind) => kind === 'read' || (kind === 'write' ? session.asks === 'write' : session.feeds))} />}
      </When>
      {session.feeds && (
        <p class="soft">What is new is also an Atom feed, at <code>{new URL('explore/feed/news.atom', location.href).href}</code>. Your reader asks for a name and a password: the name may be any, the password is a token for the feed alone, which opens nothing else.</p>
      )}
    </section>
  );
}

function Held({ held, again, kinds }: { held: OwnTokens; again: () => void; kinds: Kind[] }) {
  const [failure, setFailure] = useState<Failure>();
  const revoke = (id: string) => {
    setFailure(undefined);
    takeBack(`tokens/${id}`).then(again, setFailure);
  };
  return (
    <>
      {held.tokens.length > 0 && (
        <ul class="rows">
          {held.tokens.map((token) => <Row key={token.id} token={token} onRevoke={() => revoke(token.id)} />)}
        </ul>
      )}
      {failure && <Failed failure={failure} />}
      {held.makes ? <Make onMade={again} kinds={kinds} />
        : <p class="soft">{held.tokens.length ? 'For another' : 'For one'}, ask the people who run kith; or sign in at your organization’s own log-in, if this page offers it.</p>}
    </>
  );
}

function Row({ token, onRevoke }: { token: OwnToken; onRevoke: () => void }) {
  const { lastFour, scope, createdAt, expiresAt, lastUsed } = token;
  return (
    <li>
      <span>
        <b>…{lastFour}</b>{scope === 'feed' ? ' fetches your feed' : scope.includes('write') ? ' may record asks' : ' reads'}
        <span class="soft">, made on {date(createdAt)}, ends on {date(expiresAt)}, {lastUsed ? `last used on ${date(lastUsed)}` : 'not used yet'}</span>
      </span>
      <button type="button" class="text" aria-label={`Take back the token …${lastFour}`} onClick={onRevoke}>Take back</button>
    </li>
  );
}

function Make({ onMade, kinds }: { onMade: () => void; kinds: Kind[] }) {
  const [days, setDays] = useState<number>(30);
  const [kind, setKind] = useState<Kind>('read');
  const [made, setMade] = useState<string>();
  const [failure, setFailure] = useState<Failure>();
  const make = (event: Event) => {
    event.preventDefault();
    setFailure(undefined);
    press<{ token: string }>('tokens', { days, write: kind === 'write', feed: kind === 'feed' }).then(({ token }) => setMade(token), setFailure);
  };
  if (made) {
    return (
      <div class="notice plain">
        <label class="field" for="made">Your new token. It is shown this once: copy it now.</label>
        <input id="made" readOnly value={made} onFocus={(event) => event.currentTarget.select()} />
        <div class="buttons"><Copy text={made} label="Copy the token" /><button type="button" onClick={onMade}>Done</button></div>
      </div>
    );
  }
  return (
    <form class="make" onSubmit={make}>
      <label>Ends after <select value={days} onChange={(event) => setDays(Number(event.currentTarget.value))}>
        {DAYS.map((one) => <option key={one} value={one}>{counted(one, 'day')}</option>)}
      </select></label>
      {kinds.length > 1 && <label>It may <select value={kind} onChange={(event) => setKind(event.currentTarget.value as Kind)}>
        {kinds.map((one) => <option key={one} value={one}>{KIND_WORDS[one]}</option>)}
      </select></label>}
      <button type="submit" class="main">Make a token</button>
      {failure && <Failed failure={failure} />}
    </form>
  );
}
