/** How a question in plain words was read, and by what of a person each condition was fitted. */

import type { Matched, NetworkAnswer, Understood } from './types.ts';
import { count, counted, words } from './words.ts';

const HOW: Record<string, string> = {
  words: '', sense: 'in other words', past: '', number: '',
};

/** A condition in a few words, as it was meant. */
function said({ term, negated, past }: Understood) {
  return <>{negated && <b>not </b>}{past && 'formerly '}<bdi>{term}</bdi></>;
}

/** Each condition with what kind it is, how it was widened, and how many fit it. */
export function UnderstoodTerms({ of, counts }: { of: readonly Understood[]; counts: NetworkAnswer['meta']['counts'] }) {
  if (!of.length) return null;
  return (
    <section aria-label="Understood">
      <ul class="understood">
        {of.map((one, at) => (
          <li key={at} class={one.negated ? 'negated' : ''}>
            <span class="kind">{words(one.kind)}</span>
            <span>
              {said(one)}
              {one.readAs && one.readAs !== one.term && <span class="soft">, read as <bdi>{one.readAs}</bdi></span>}
              {!!one.widenedTo?.length && <span class="soft"> and what is near it: <bdi>{one.widenedTo.join(', ')}</bdi></span>}
            </span>
            <span class="soft">{counted(one.people, 'person', 'people')}</span>
          </li>
        ))}
      </ul>
      {counts && of.length > 1 && (
        <p class="soft small">{count(counts.every)} fit all of it, {count(counts.most)} more than half, {count(counts.any)} at least one.</p>
      )}
    </section>
  );
}

export function Ignored({ words: dropped }: { words: readonly string[] | undefined }) {
  if (!dropped?.length) return null;
  return <>Left out of account: <bdi>{dropped.join(', ')}</bdi>. </>;
}

/** Which conditions a person fits, and by what. */
export function MatchedBy({ of, terms }: { of: readonly Matched[] | undefined; terms: readonly Understood[] | undefined }) {
  const shown = (of ?? []).filter((one) => terms?.[one.term]);
  if (!shown.length) return null;
  return (
    <ul class="chips matched" aria-label="Fits">
      {shown.map(({ term, field, text, how }, at) => (
        <li key={at}><b>{said(terms![term]!)}</b> <bdi>{text}</bdi> <span class="soft">{[words(field), HOW[how] ?? words(how)].filter(Boolean).join(', ')}</span></li>
      ))}
    </ul>
  );
}
