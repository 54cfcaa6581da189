/** Small parts that every screen is made of. */

import type { ComponentChildren } from 'preact';
import { createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { Failure } from './api.ts';
import type { Loaded } from './load.ts';
import type { Asked, Breakdown, Evidence } from './types.ts';
import { count, counted, date, factors, hueOf, initials, occupation, strength, title } from './words.ts';

/** A name, isolated, so that its direction turns nothing around it. */
export function Name({ of }: { of: string }) {
  return <bdi>{of}</bdi>;
}

/** The origins whose pictures the people who run kith allow as marks of companies; of all others none is asked for. */
export const LogoHosts = createContext<readonly string[]>([]);

/** Initials in a colour of the person's own, the same on every screen; those of a firm in a square, and over them its mark. */
export function Face({ name, isFirm = false, logo }: { name: string; isFirm?: boolean; logo?: string }) {
  const hosts = useContext(LogoHosts);
  const [at, setAt] = useState<'shown' | 'failed'>();
  const isAllowed = logo && at !== 'failed' && URL.canParse(logo) && hosts.includes(new URL(logo).origin);
  return (
    <span class={isFirm ? 'face firm' : 'face'} aria-hidden="true" style={{ '--hue': hueOf(name) }}>
      {initials(name)}
      {isAllowed && <img class={at} referrerpolicy="no-referrer" loading="lazy" alt="" width="34" height="34" onLoad={() => setAt('shown')} onError={() => setAt('failed')} src={logo} />}
    </span>
  );
}

export function Who({ name, href, position, company }: {
  name: string; href?: string; position?: string; company?: string;
}) {
  const does = occupation(position, company);
  return (
    <span class="faced">
      <Face name={name} />
      <span class="who">
        {href ? <a href={href}><Name of={name} /></a> : <b><Name of={name} /></b>}
        {does && <span class="soft"><bdi>{does}</bdi></span>}
      </span>
    </span>
  );
}

/** The colleagues who know somebody: the first by name, each by a face. */
export function Knowers({ of }: { of: readonly { userId: string; name: string }[] }) {
  if (!of.length) return <span class="soft">through others</span>;
  return (
    <span class="faced" title={of.map(({ name }) => name).join(', ')}>
      <span class="faces">{of.slice(0, 3).map((one) => <Face key={one.userId} name={one.name} />)}</span>
      <span><Name of={of[0]!.name} />{of.length > 1 && <span class="soft"> +{count(of.length - 1)}</span>}</span>
    </span>
  );
}

/** A score in a word, and the number to whoever points at it or opens the row. */
export function Warm({ score, label = 'Warmness' }: { score: number | undefined; label?: string }) {
  if (score === undefined) return <span class="warm soft">not scored</span>;
  const word = strength(score);
  return (
    <span class={`warm ${word.toLowerCase()}`} title={`${label} ${count(score)} of 100`}>
      <span class="word">{word}</span>
      <b><span class="unseen">{label} </span>{count(score)}</b>
    </span>
  );
}

export function Notice({ children, kind = 'warning' }: { children: ComponentChildren; kind?: 'warning' | 'plain' }) {
  return children ? <p class={`notice ${kind}`} role="note">{children}</p> : null;
}

export function Loading({ what = 'Looking…' }: { what?: string }) {
  return <div class="loading" role="status"><span>{what}</span></div>;
}

export function Failed({ failure, again }: { failure: Failure; again?: () => void }) {
  if (failure.status === 401) return <Notice>You are logged out. Log in to go on from here.</Notice>;
  return (
    <div class="notice failed" role="alert">
      <p>{failure.message}</p>
      {failure.requestId && <p class="soft">Request <code>{failure.requestId}</code> <Copy text={failure.requestId} /></p>}
      {again && <button type="button" onClick={again}>Try again</button>}
    </div>
  );
}

/** What is shown of an answer, or why there is none yet. */
export function When<T>({ of, again, what, children }: {
  of: Loaded<T>; again?: () => void; what?: string; children: (value: T) => ComponentChildren;
}) {
  if (of.at === 'loading') return <Loading what={what} />;
  if (of.at === 'failed') return <Failed failure={of.failure} again={again} />;
  return <>{children(of.value)}</>;
}

export function Copy({ text, label = 'Copy', onCopied }: { text: string; label?: string; onCopied?: () => void }) {
  const [said, setSaid] = useState('');
  useEffect(() => {
    const gone = setTimeout(() => setSaid(''), 2500);
    return () => clearTimeout(gone);
  }, [said]);
  const copy = () => {
    const written = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'));
    written.then(() => { setSaid('Copied'); onCopied?.(); }, () => setSaid('Select the text and copy it by hand'));
  };
  return (
    <span class="copy">
      <button type="button" onClick={copy}>{label}</button>
      <span role="status" class="soft">{said}</span>
    </span>
  );
}

export function More({ more, isMore, failure, shown, total, one, many }: {
  more?: () => void; isMore: boolean; failure?: Failure; shown: number; total: number; one: string; many?: string;
}) {
  return (
    <div class="more">
      <span class="soft" role="status">{count(shown)} of {counted(total, one, many)}</span>
      {failure && <Failed failure={failure} />}
      {more && <button type="button" disabled={isMore} onClick={more}>{isMore ? 'Looking…' : 'Show more'}</button>}
    </div>
  );
}

/** That an introduction was asked for already, by whom and when. */
export function AskedNote({ of }: { of: Asked }) {
  if (!of.introRequested) return null;
  const by = of.introRequestedBy && <> by <Name of={of.introRequestedBy} /></>;
  const at = of.introRequestedAt && ` on ${date(of.introRequestedAt)}`;
  return <Notice kind="plain">An introduction was asked for already{by}{at}{of.introStatus && ` (${title(of.introStatus)})`}.</Notice>;
}

export function Signals({ of }: { of: readonly string[] | undefined }) {
  if (!of?.length) return null;
  return <ul class="chips">{of.map((signal) => <li key={signal}>{signal}</li>)}</ul>;
}

export function Factors({ of }: { of: Breakdown | undefined }) {
  const all = factors(of);
  if (!all.length) return null;
  return <dl class="factors">{all.map(({ name, value }) => <div key={name}><dt>{name}</dt><dd><bdi>{value}</bdi></dd></div>)}</dl>;
}

/** Why a score is what it is: sentences, and the points and the evidence to whoever asks. */
export function Reasons({ signals, breakdown, evidence }: {
  signals: readonly string[] | undefined; breakdown: Breakdown | undefined; evidence: readonly Evidence[] | undefined;
}) {
  return (
    <>
      <Signals of={signals} />
      {(!!breakdown || !!evidence?.length) && (
        <details class="points">
          <summary>The points and what they rest on</summary>
          <Factors of={breakdown} />
          <EvidenceList of={evidence} />
        </details>
      )}
    </>
  );
}

function EvidenceList({ of }: { of: readonly Evidence[] | undefined }) {
  if (!of?.length) return null;
  return (
    <ul class="evidence">
      {of.map((one, at) => (
        <li key={at}>
          <b>{title(one.kind)}</b> <span class="soft">{date(one.at)}{one.source && ` · ${one.source}`}</span>
          {one.note && <> <bdi>{one.note}</bdi></>}
        </li>
      ))}
    </ul>
  );
}

/** The head of a screen: takes the focus when the screen opens, and names the page. */
export function Head({ title: text, children }: { title: string; children?: ComponentChildren }) {
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => { document.title = `${text} · kith`; }, [text]);
  useEffect(() => {
    if (document.activeElement === document.body || document.activeElement?.closest('[data-search]')) head.current?.focus();
  }, []);
  return (
    <header class="head">
      <h1 tabIndex={-1} ref={head}><Name of={text} /></h1>
      {children}
    </header>
  );
}

/** Some of a few choices, as buttons that stay down. */
export function Choices<V extends string>({ name, of, words, chosen, onChange, type = 'radio' }: {
  name: string; of: readonly V[]; words: (value: V) => string; chosen: readonly V[];
  onChange: (chosen: V[]) => void; type?: 'radio' | 'checkbox';
}) {
  const pick = (value: V) => {
    if (type === 'radio') return onChange([value]);
    return onChange(of.filter((one) => (one === value) !== chosen.includes(one)));
  };
  return (
    <fieldset class="choices">
      <legend>{name}</legend>
      {of.map((value) => (
        <label key={value}>
          <input type={type} name={name} checked={chosen.includes(value)} onChange={() => pick(value)} />
          <span>{words(value)}</span>
        </label>
      ))}
    </fieldset>
  );
}
