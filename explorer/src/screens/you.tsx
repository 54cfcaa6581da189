/** Who is logged in, and the tokens by which their programs call kith in their name. */

import { useState } from 'preact/hooks';
import type { Failure } from '../api.ts';
import { getTokens, press, takeBack } from '../api.ts';
import { useLoad } from '../load.ts';
import type { OwnToken, OwnTokens, Session } from '../types.ts';
import { Copy, Failed, Head, Name, When } from '../ui.tsx';
import { counted, date } from '../words.ts';

const DAYS = [7, 30, 90] as const;

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
        {(held) => <Held held={held} again={again} mayWrite={session.asks === 'write'} />}
      </When>
    </section>
  );
}

function Held({ held, again, mayWrite }: { held: OwnTokens; again: () => void; mayWrite: boolean }) {
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
      {held.makes ? <Make onMade={again} mayWrite={mayWrite} />
        : <p class="soft">{held.tokens.length ? 'For another' : 'For one'}, ask the people who run kith; or sign in at your organization’s own log-in, if this page offers it.</p>}
    </>
  );
}

function Row({ token, onRevoke }: { token: OwnToken; onRevoke: () => void }) {
  const { lastFour, scope, createdAt, expiresAt, lastUsed } = token;
  return (
    <li>
      <span>
        <b>…{lastFour}</b>{scope.includes('write') ? ' may record asks' : ' reads'}
        <span class="soft">, made on {date(createdAt)}, ends on {date(expiresAt)}, {lastUsed ? `last used on ${date(lastUsed)}` : 'not used yet'}</span>
      </span>
      <button type="button" class="text" aria-label={`Take back the token …${lastFour}`} onClick={onRevoke}>Take back</button>
    </li>
  );
}

function Make({ onMade, mayWrite }: { onMade: () => void; mayWrite: boolean }) {
  const [days, setDays] = useState<number>(30);
  const [write, setWrite] = useState(false);
  const [made, setMade] = useState<string>();
  const [failure, setFailure] = useState<Failure>();
  const make = (event: Event) => {
    event.preventDefault();
    setFailure(undefined);
    press<{ token: string }>('tokens', { days, write }).then(({ token }) => setMade(token), setFailure);
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
      {mayWrite && <label><input type="checkbox" checked={write} onChange={(event) => setWrite(event.currentTarget.checked)} /> It may record asks too</label>}
      <button type="submit" class="main">Make a token</button>
      {failure && <Failed failure={failure} />}
    </form>
  );
}
