/** What to look at since last time, beside what changed: lists, ties that went quiet, likely doubles, asks that wait. */

import { useContext } from 'preact/hooks';
import { get, getQuiet, post } from '../api.ts';
import { answerTo, Doubles } from '../doubles.tsx';
import { listsOf } from '../lists.ts';
import { useLoad } from '../load.ts';
import { link } from '../route.ts';
import { readTargets } from '../targets.ts';
import type { AskPage, BatchAnswer, Change, Session } from '../types.ts';
import { Name, Warm, When, Who } from '../ui.tsx';
import { count, counted, date } from '../words.ts';

/** So many of a kind stand on the first screen. */
const FIRST = 5;

/** Ties that were strong and are quiet: one's own, or everybody's to a visitor without a token. */
export function Quiet({ isOwn }: { isOwn: boolean }) {
  const [loaded, again] = useLoad('quiet', getQuiet);
  return (
    <section class="panel">
      <h2>Who went quiet</h2>
      <When of={loaded} again={again}>
        {({ ties, totalCount }) => totalCount === 0 ? <p class="soft">No strong tie has been quiet for a year.</p> : (
          <>
            <p class="soft">{counted(totalCount, 'strong tie')} without contact for a year, the strongest first.</p>
            <List of={ties.map((tie) => (
              <li key={`${tie.person.id} ${tie.userId}`} class="line">
                <Who name={tie.person.name} href={link('person', tie.person.id)} position={tie.person.position} company={tie.person.company} />
                <span class="last"><span class="soft">{!isOwn && <><Name of={tie.userName} />, </>}last on {date(tie.lastContact)}</span><Warm score={tie.warmness} /></span>
              </li>
            ))} />
          </>
        )}
      </When>
    </section>
  );
}

/** The first few, and the others to whoever opens them. */
function List({ of }: { of: preact.JSX.Element[] }) {
  return (
    <>
      <ul class="rows">{of.slice(0, FIRST)}</ul>
      {of.length > FIRST && <details><summary>{count(of.length - FIRST)} more</summary><ul class="rows">{of.slice(FIRST)}</ul></details>}
    </>
  );
}

/** The changes that are about people and companies of the lists in this browser. */
export function OfLists({ changes, session }: { changes: readonly Change[]; session: Session }) {
  const lists = listsOf(session.organization.id).lists.filter(({ text }) => text);
  const [loaded] = useLoad(JSON.stringify(lists.map(({ text }) => text)), async (signal) => {
    const found = new Map<string, string>();
    for (const { name, text } of lists) {
      const targets = readTargets(text).lines.map((line) => ({ text: line.text }));
      const answer = await post<BatchAnswer>('search/warm-paths/batch', { targets, perTarget: 1 }, signal);
      for (const { prospect, company } of answer.data.results) {
        if (prospect) found.set(prospect.id, name);
        if (company) found.set(company.name, name);
      }
    }
    return found;
  });
  const found = loaded.at === 'ready' ? loaded.value : new Map<string, string>();
  const people = new Map(changes.map(({ person }) => [person.id, person]));
  const listed = [...people.values()].filter((person) => found.has(person.id) || found.has(person.company ?? ''));
  if (!lists.length || !listed.length) return null;
  return (
    <section class="panel">
      <h2>On your lists</h2>
      <List of={listed.map((person) => (
        <li key={person.id} class="line">
          <Who name={person.name} href={link('paths', person.id)} position={person.position} company={person.company} />
          <span class="soft"><Name of={found.get(person.id) ?? found.get(person.company ?? '') ?? ''} /></span>
        </li>
      ))} />
    </section>
  );
}

/** What waits for an answer: likely doubles, and asks that wait for the visitor or are open. */
export function Waiting({ session }: { session: Session }) {
  const doubles = useContext(Doubles).of;
  const asked = { limit: 1, connectorId: session.member?.personId };
  const [loaded] = useLoad('waiting', async (signal) => session.asks ? (await get<{ data: AskPage }>('asks', asked, signal)).data.totalCount : 0);
  const waiting = loaded.at === 'ready' ? loaded.value : 0;
  const unanswered = doubles?.found.doubles.filter((double) => !answerTo(doubles, double)).length ?? 0;
  const left = doubles?.found.doublesLeft ?? 0;
  if (!waiting && !unanswered) return null;
  return (
    <section class="panel">
      <h2>Waiting for you</h2>
      <ul class="rows">
        {waiting > 0 && <li><a href={link('asks', '', { state: session.member ? 'waiting' : '' })}>{session.member ? `${counted(waiting, 'colleague waits', 'colleagues wait')} for an introduction of yours` : counted(waiting, 'open ask')}</a></li>}
        {unanswered > 0 && <li><a href={link('doubles')}>{counted(unanswered + left, 'pair')} that may be one person</a></li>}
      </ul>
    </section>
  );
}
