/** Lists of targets: pasted lines in, a table of the best introduction to each out, with what was noted of them. */

import { useEffect, useState } from 'preact/hooks';
import { Failure, post } from '../api.ts';
import { Draft } from '../draft.tsx';
import { emptyList, keepLists, withPasted } from '../lists.ts';
import type { List, Lists, Note } from '../lists.ts';
import { parse, tune } from '../route.ts';
import { readTargets, TARGETS_MAX } from '../targets.ts';
import type { Read } from '../targets.ts';
import type { BatchAnswer, PersonCard, Session, WarmPath } from '../types.ts';
import { Choices, Failed, Head, Loading, Notice } from '../ui.tsx';
import { count } from '../words.ts';
import { Introductions } from './introductions.tsx';

const EXAMPLE = 'Deepa Reddy (Ænselholt Software)\nSomebody <somebody@example.com>\nhttps://www.linkedin.com/in/some-handle\nsomefund.com';

type Asked = { at: 'asking' } | { at: 'answered'; read: Read; answer: BatchAnswer } | { at: 'failed'; failure: Failure };

export function Many({ session }: { session: Session }) {
  const [all, setAll] = useState(() => withPasted(session.organization.id));
  const change = (next: Lists) => { setAll(next); keepLists(session.organization.id, next); };
  const { open, lists } = all;
  const names = lists.map((_, at) => String(at));
  return (
    <article class="wide">
      <Head title="Lists">
        {!lists[open]!.text && <p class="lead">Paste it here. One person or company a line, as you have them: a name with a firm, an e-mail address, the address of a profile or a homepage. A table with a header row is read by its columns. Lists and notes stay in this browser until you delete them.</p>}
      </Head>
      <div class="filters">
        {lists.length > 1 && <Choices name="List" of={names} words={(at) => lists[Number(at)]!.name} chosen={[String(open)]} onChange={([at]) => { tune(parse(location.hash), { find: '', by: '', show: '' }); change({ open: Number(at), lists }); }} />}
        {(lists.length > 1 || lists[0]!.text) && <button type="button" class="plain" onClick={() => change({ open: lists.length, lists: [...lists, emptyList(`List ${lists.length + 1}`)] })}>New list</button>}
      </div>
      <One key={open} list={lists[open]!} session={session}
        onChange={(list) => change({ open, lists: lists.map((one, at) => at === open ? list : one) })}
        onDelete={() => { const left = lists.filter((_, at) => at !== open); change({ open: 0, lists: left.length ? left : [emptyList('My list')] }); }} />
    </article>
  );
}

/** One list: its text, and the introductions that it was answered with. */
function One({ list, session, onChange, onDelete }: { list: List; session: Session; onChange: (list: List) => void; onDelete: () => void }) {
  const [isMine, setMine] = useState(false);
  const [asked, setAsked] = useState<Asked>();
  const [ask, setAsk] = useState<{ path: WarmPath; target: PersonCard; line: string }>();
  const { text } = list;
  const read = readTargets(text);
  const { lines, left } = read;
  const setText = (now: string) => onChange({ ...list, text: now });
  const note = (line: string, now: Note) => onChange({ ...list, notes: { ...list.notes, [line]: { ...list.notes[line], ...now } } });
  const taken = () => { if (ask && ['', 'to ask'].includes(list.notes[ask.line]?.state ?? '')) note(ask.line, { state: 'asked' }); };
  const send = (of = text) => {
    const read = readTargets(of);
    const { lines } = read;
    if (!lines.length) return;
    setAsked({ at: 'asking' });
    const body = { targets: lines.map(({ text }) => ({ text })), perTarget: 1, sort: 'warmness', include: session.asks ? ['near', 'asks'] : ['near'], plan: session.asks ? true : undefined, scope: isMine ? 'me' : undefined };
    post<BatchAnswer>('search/warm-paths/batch', body).then(
      (answer) => setAsked({ at: 'answered', read, answer }),
      (failure: Failure) => setAsked({ at: 'failed', failure }),
    );
  };
  // A list that was kept is answered as the network is today.
  useEffect(() => send(), []);
  /** Takes a whole list, and asks at once. */
  const take = (now: string) => { setText(now); send(now); };
  const onPaste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData?.getData('text') ?? '';
    if (text || !pasted.trim()) return;
    event.preventDefault();
    take(pasted);
  };
  return (
    <>
      <form class="listed" onSubmit={(event) => { event.preventDefault(); send(); }}>
        <label class="field" for="targets">Your list</label>
        <textarea id="targets" dir="auto" rows={asked?.at === 'answered' ? 3 : 8} spellcheck={false} value={text} placeholder={EXAMPLE} onPaste={onPaste} onInput={(event) => setText(event.currentTarget.value)} />
        <div class="filters">
          <div class="buttons"><button type="submit" class="main" disabled={!lines.length || asked?.at === 'asking'}>
            {lines.length ? `Find introductions to ${count(lines.length)}` : 'Find introductions'}
          </button></div>
          <details class="fold" open={matchMedia('(min-width: 44rem)').matches}><summary>More about the list</summary><div class="filters">
          <label class="field">Or a file
            <input type="file" accept=".csv,.txt,.tsv,text/csv,text/plain" onChange={async (event) => {
              const file = event.currentTarget.files?.[0];
              if (file) take(await file.text());
            }} />
          </label>
          {session.member && (
            <fieldset class="choices"><legend>Show</legend>
              <label><input type="checkbox" checked={isMine} onChange={(event) => setMine(event.currentTarget.checked)} /><span>Only mine</span></label>
            </fieldset>
          )}
          {text && <label class="field">Its name<input type="text" dir="auto" maxLength={80} value={list.name} onInput={(event) => onChange({ ...list, name: event.currentTarget.value })} /></label>}
          {text && <button type="button" class="plain" onClick={() => { onDelete(); setAsked(undefined); }}>Delete the list</button>}
          </div></details>
        </div>
        {left > 0 && <Notice>Only the first {count(TARGETS_MAX)} are asked for; {count(left)} more are left out.</Notice>}
      </form>
      {asked?.at === 'asking' && <Loading what="Looking for introductions…" />}
      {asked?.at === 'failed' && <Failed failure={asked.failure} again={() => send()} />}
      {asked?.at === 'answered' && <Introductions read={asked.read} answer={asked.answer} session={session} notes={list.notes} onNote={note} onAsk={(path, target, line) => setAsk({ path, target, line })} />}
      {ask && <Draft path={ask.path} target={ask.target} session={session} close={() => setAsk(undefined)} onTaken={taken} />}
    </>
  );
}
