/** Who was asked for introductions, and what came of it: read by everybody, written by the member who asked. */

import { useState } from 'preact/hooks';
import { get, press } from '../api.ts';
import { usePages } from '../load.ts';
import { link, tune } from '../route.ts';
import type { Route } from '../route.ts';
import type { Ask, AskPage, Session } from '../types.ts';
import { Choices, Copy, Head, More, Name, Notice, Warm, When } from '../ui.tsx';
import { date } from '../words.ts';

const PAGE = 20;
const STATES = ['', 'closed', 'all'] as const;
const STATE_NAMES = { '': 'Open', closed: 'Done', all: 'All' } as const;
const WORDS: Record<string, string> = {
  asked: 'asked', agreed: 'agreed to introduce', introduced: 'introduced', in_touch: 'in touch', met: 'met',
  declined: 'declined', no_answer: 'no answer', withdrawn: 'withdrawn', reopened: 'taken back',
};
/** What may be said next, by the state. */
const NEXT: Record<string, readonly string[]> = {
  asked: ['agreed', 'introduced', 'declined', 'no_answer', 'withdrawn'],
  agreed: ['introduced', 'met', 'declined', 'no_answer', 'withdrawn'],
  introduced: ['in_touch', 'met', 'no_answer', 'withdrawn'],
  in_touch: ['met'],
};

export function Asks({ route, session }: { route: Route; session: Session }) {
  const state = STATES.find((one) => one === route.params.get('state')) ?? '';
  const mine = !!session.member && route.params.get('mine') === 'true';
  const asked = { state: state || undefined, mine: mine || undefined, limit: PAGE };
  const { loaded, all, again, more, isMore, failure } = usePages(JSON.stringify(asked),
    async (offset, signal) => (await get<{ data: AskPage }>('asks', { ...asked, offset }, signal)).data,
    (page) => page.asks);
  return (
    <article>
      <Head title="Asks"><p class="lead">Who was asked for an introduction, and what came of it. Nothing is sent from here.</p></Head>
      <div class="filters">
        <Choices name="Which" of={STATES} words={(one) => STATE_NAMES[one]} chosen={[state]} onChange={([one]) => tune(route, { state: one })} />
        {session.member && (
          <fieldset class="choices"><legend>Whose</legend>
            <label><input type="checkbox" checked={mine} onChange={(event) => tune(route, { mine: event.currentTarget.checked ? 'true' : '' })} /><span>Only mine</span></label>
          </fieldset>
        )}
      </div>
      <When of={loaded} again={again}>
        {(page) => page.totalCount === 0 ? <div class="empty"><p>Nobody was asked{state === '' ? ', or everything is done' : ''}.</p></div> : (
          <>
            <ul class="cards">{all.map((one) => <Card key={one.id} of={one} session={session} again={again} />)}</ul>
            <More more={more} isMore={isMore} failure={failure} shown={all.length} total={page.totalCount} one="ask" />
          </>
        )}
      </When>
    </article>
  );
}

function Card({ of, session, again }: { of: Ask; session: Session; again: () => void }) {
  const [said, setSaid] = useState('');
  const [url, setUrl] = useState('');
  const isMine = session.asks === 'write' && session.member?.userId === of.askedBy.userId;
  const write = (outcome: string) => press(`asks/${of.id}`, { outcome, key: crypto.randomUUID() })
    .then(again, (failure: Error) => setSaid(failure.message));
  const makeLink = () => press<{ url: string }>(`asks/${of.id}/link`, {})
    .then((made) => setUrl(made.url), (failure: Error) => setSaid(failure.message));
  return (
    <li>
      <div class="line">
        <span class="who">
          <a href={link('person', of.person.id)}><Name of={of.person.name} /></a>
          <span class="soft">{of.connector ? <>over <a href={link('person', of.connector.id)}><Name of={of.connector.name} /></a></> : 'directly'}, by <Name of={of.askedBy.name} /> on {date(of.askedAt)}</span>
        </span>
        <b>{WORDS[of.state] ?? of.state}</b>
        {of.warmness !== undefined && <Warm score={of.warmness} />}
      </div>
      {isMine && (
        <div class="buttons">
          {(NEXT[of.state] ?? []).map((outcome) => <button key={outcome} type="button" class="plain" onClick={() => write(outcome)}>{WORDS[outcome]}</button>)}
          {of.state !== 'asked' && <button type="button" class="text" onClick={() => write('reopened')}>Take back “{WORDS[of.state]}”</button>}
          {of.open && of.connector && <button type="button" class="text" onClick={makeLink}>Make a link for their answer</button>}
        </div>
      )}
      {url && <p class="line"><code>{url}</code> <Copy text={url} label="Copy the link" /></p>}
      {said && <Notice>{said}</Notice>}
    </li>
  );
}
