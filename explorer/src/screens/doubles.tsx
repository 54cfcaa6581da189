/** Two people side by side, to be answered: the same, different, or later. */

import { useContext, useEffect, useState } from 'preact/hooks';
import { Failure } from '../api.ts';
import { answerTo, Doubles, Joined } from '../doubles.tsx';
import type { Answer } from '../doubles.tsx';
import { link } from '../route.ts';
import type { Route } from '../route.ts';
import type { Double, DoublesAnswer, DoubleSide } from '../types.ts';
import { Failed, Head, Loading, Name } from '../ui.tsx';
import { count, counted, occupation } from '../words.ts';

const KEYS: Record<string, Answer> = { s: 'same', d: 'apart', l: 'later' };
const ANSWER_WORDS = { same: 'One person', apart: 'Two people' } as const;

export function DoublesScreen({ route }: { route: Route }) {
  const { of } = useContext(Doubles);
  return (
    <article>
      <Head title="Likely doubles">
        <p class="lead">People who may be one person and were not joined, since nothing makes it certain. An answer is kept, and the next import joins them or leaves them two.</p>
      </Head>
      {of ? <Pairs of={of} route={route} /> : <Loading />}
    </article>
  );
}

const keyOf = ({ a, b }: Double) => `${a.id} ${b.id}`;

function Pairs({ of, route }: { of: DoublesAnswer; route: Route }) {
  const { answer } = useContext(Doubles);
  const [later, setLater] = useState<string[]>([]);
  const [last, setLast] = useState<Double>();
  const [failure, setFailure] = useState<Failure>();
  const named = `${route.params.get('a')} ${route.params.get('b')}`;
  const open = of.found.doubles.filter((double) => !answerTo(of, double));
  const order = (double: Double) => keyOf(double) === named ? -1 : later.indexOf(keyOf(double)) + 1;
  const [shown] = open.map((double, at) => ({ double, at })).sort((one, other) => order(one.double) - order(other.double) || one.at - other.at).map(({ double }) => double);
  const give = (double: Double, said: Answer) => {
    setFailure(undefined);
    if (said === 'later' && !answerTo(of, double)) {
      setLater((before) => [...before.filter((key) => key !== keyOf(double)), keyOf(double)]);
      return;
    }
    answer(double, said).then(
      () => setLast(said === 'later' ? undefined : double),
      (cause) => setFailure(cause instanceof Failure ? cause : new Failure(0, String(cause))),
    );
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isElsewhere = event.ctrlKey || event.metaKey || event.altKey || event.isComposing || document.querySelector('dialog[open]')
        || (event.target instanceof HTMLElement && event.target.matches('input, textarea, select'));
      if (isElsewhere) return;
      const said = KEYS[event.key.toLowerCase()];
      if (said && shown) give(shown, said);
      else if (event.key.toLowerCase() === 'u' && last) give(last, 'later');
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
  const answered = of.found.doubles.filter((double) => answerTo(of, double));
  return (
    <>
      {failure && <Failed failure={failure} />}
      <p class="summary" role="status">
        {open.length ? `${counted(open.length, 'pair')} to answer` : 'Nothing is left to answer.'}
        {answered.length > 0 && `, ${count(answered.length)} answered`}
        {of.found.doublesLeft > 0 && `. ${counted(of.found.doublesLeft, 'further pair')} after these, at the next import`}
      </p>
      {shown && <Pair of={shown} give={(said) => give(shown, said)} undo={last && (() => give(last, 'later'))} />}
      {answered.length > 0 && (
        <section>
          <h2>Answered</h2>
          <ul class="rows">
            {answered.map((double) => (
              <li key={keyOf(double)} class="line">
                <span><Name of={double.a.name} /> and <Name of={double.b.name} /></span>
                <span>{ANSWER_WORDS[answerTo(of, double)!]} <button type="button" class="text" onClick={() => give(double, 'later')}>Take back</button></span>
              </li>
            ))}
          </ul>
          <p class="soft">The next time you start kith open, the answers are in force.</p>
        </section>
      )}
    </>
  );
}

function Pair({ of, give, undo }: { of: Double; give: (said: Answer) => void; undo?: () => void }) {
  return (
    <section class="pair" aria-label={`${of.a.name} and ${of.b.name}`}>
      <div class="two"><Side of={of.a} /><Side of={of.b} /></div>
      <ul class="chips">{of.reasons.map((reason) => <li key={reason}>{reason}</li>)}</ul>
      <p class="soft"><Joined of={of} /></p>
      <p class="buttons">
        <button type="button" class="main" onClick={() => give('same')}>Same person <kbd aria-hidden="true">S</kbd></button>
        <button type="button" onClick={() => give('apart')}>Different <kbd aria-hidden="true">D</kbd></button>
        <button type="button" onClick={() => give('later')}>Later <kbd aria-hidden="true">L</kbd></button>
        {undo && <button type="button" class="text" onClick={undo}>Undo the last <kbd aria-hidden="true">U</kbd></button>}
      </p>
    </section>
  );
}

function Side({ of }: { of: DoubleSide }) {
  return (
    <div class="panel">
      <h2><a href={link('person', of.id)}><Name of={of.name} /></a></h2>
      <p>{occupation(of.position, of.company) ? <bdi>{occupation(of.position, of.company)}</bdi> : <span class="soft">No company is known.</span>}</p>
      {of.linkedinId && <p class="soft">Profile <bdi>{of.linkedinId}</bdi></p>}
      <ul class="rows small">
        {of.rows.map((row) => (
          <li key={`${row.file} ${row.line}`}><bdi title={row.file}>{row.file.split('/').slice(-2).join('/')}</bdi>, line {count(row.line)}{row.name !== of.name && row.name && <>, as <Name of={row.name} /></>}</li>
        ))}
        {of.rowsLeft > 0 && <li class="soft">{counted(of.rowsLeft, 'further row')}</li>}
        {of.rows.length === 0 && <li class="soft">Known by mail alone</li>}
      </ul>
    </div>
  );
}
