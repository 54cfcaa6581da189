/** Likely doubles: people who may be one person and were not joined, and what was answered about them. */

import { createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { Failure } from './api.ts';
import { link } from './route.ts';
import type { Double, DoubleSide, DoublesAnswer } from './types.ts';
import { Failed, Name } from './ui.tsx';
import { count, occupation } from './words.ts';

export type Answer = 'same' | 'apart' | 'later';

export interface DoublesHeld {
  of?: DoublesAnswer;
  /** Writes an answer; asks for all of them again. */
  answer: (double: Double, answer: Answer) => Promise<void>;
  /** Writes that two do not know each other, or takes it back. */
  untie: (a: string, b: string, untied: boolean) => Promise<void>;
}

/** What is held of them; nothing where the server did not import the network itself. */
export const Doubles = createContext<DoublesHeld>({ answer: async () => {}, untie: async () => {} });

/** The answer that was given about a pair. */
export function answerTo(of: DoublesAnswer, { a, b }: Double): 'same' | 'apart' | undefined {
  return of.answers.find((one) => one.a === a.id && one.b === b.id)?.answer;
}

/** The pairs that nobody said to be two people, of which the person is one, each with the other. */
export function othersOf(of: DoublesAnswer | undefined, id: string): { double: Double; other: DoubleSide }[] {
  if (!of) return [];
  const mine = of.found.doubles.filter((double) => double.a.id === id || double.b.id === id);
  return mine.filter((double) => answerTo(of, double) !== 'apart')
    .map((double) => ({ double, other: double.a.id === id ? double.b : double.a }));
}

/** How warm the ties to both would be, in a sentence for each that would be warmer. */
export function Joined({ of }: { of: Double }) {
  return (
    <>
      {of.ties.filter(({ a, b, joined }) => joined > Math.max(a, b)).map(({ name, a, b, joined }) => (
        <span key={name}> As one person, the tie of <Name of={name} /> would be {count(joined)}, not {count(Math.max(a, b))}.</span>
      ))}
    </>
  );
}

/** Whether two whose tie was derived know each other at all: one press says no, and another takes it back. */
export function Untie({ a, b }: { a: string; b: string }) {
  const { of, untie } = useContext(Doubles);
  const [failure, setFailure] = useState<Failure>();
  if (!of) return null;
  const isUntied = of.untied.some(({ people }) => people.includes(a) && people.includes(b));
  const press = () => {
    setFailure(undefined);
    untie(a, b, !isUntied).catch((cause) => setFailure(cause instanceof Failure ? cause : new Failure(0, String(cause))));
  };
  return (
    <p class="soft small" role="status">
      {isUntied ? 'The next import leaves this step out.' : 'They probably know each other: a mailbox shows it, and no file says so.'}
      {' '}<button type="button" class="text" onClick={press}>{isUntied ? 'Take back' : 'They don’t know each other'}</button>
      {failure && <Failed failure={failure} />}
    </p>
  );
}

/** That a person may stand in the network a second time. */
export function MayAlsoBe({ id }: { id: string }) {
  const { of } = useContext(Doubles);
  const others = othersOf(of, id);
  if (!of || !others.length) return null;
  return (
    <div class="notice plain" role="note" data-doubles>
      {others.map(({ double, other }) => (
        <p key={other.id}>
          May also be <a href={link('person', other.id)}><Name of={other.name} /></a>
          {occupation(other.position, other.company) && <>, <bdi>{occupation(other.position, other.company)}</bdi></>}.
          <Joined of={double} />
          {answerTo(of, double) === 'same'
            ? ' You said that they are one; the next import joins them.'
            : <> <a href={link('doubles', '', { a: double.a.id, b: double.b.id })}>Are they one person?</a></>}
        </p>
      ))}
    </div>
  );
}
