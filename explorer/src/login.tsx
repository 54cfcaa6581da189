/** The log-in: a credential goes to the server once, which keeps it sealed in a cookie that no script can read. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { beginSignIn, Failure, logIn, logInByCode, logInReturned, whoAmI } from './api.ts';
import type { Session } from './types.ts';

/** Logs in and returns who that is. */
export async function enter(credential: string): Promise<Session> {
  await logIn(credential.trim());
  return entered();
}

/** Logs in by the code of a link. One that was used before leaves a user who is logged in where they are. */
export async function enterByCode(code: string, held: Session | null): Promise<Session> {
  try {
    await logInByCode(code);
  } catch (cause) {
    if (held && cause instanceof Failure && cause.status === 401) return held;
    throw cause;
  }
  return entered();
}

/** Where this tab keeps what the user has to come back with, and where they were. */
const LEFT = 'kith-sign-in';

/** Leads the user to the identity provider. */
async function leave(): Promise<void> {
  const { address, sealed } = await beginSignIn();
  sessionStorage.setItem(LEFT, JSON.stringify({ sealed, hash: location.hash }));
  location.assign(address);
}

/**
 * What the user came back with, which leaves the address before anything else happens. Returns a function that logs in by it, or
 * `undefined` if they did not come from the identity provider.
 */
export function takeReturned(): (() => Promise<Session>) | undefined {
  const sent = new URLSearchParams(location.search);
  const [code, state] = [sent.get('code'), sent.get('state')];
  if (state === null || (code === null && !sent.has('error'))) return undefined;
  const left = JSON.parse(sessionStorage.getItem(LEFT) ?? '{}') as { sealed?: string; hash?: string };
  sessionStorage.removeItem(LEFT);
  history.replaceState(null, '', location.pathname + (left.hash ?? ''));
  return async () => {
    if (code === null) throw new Failure(401, 'You were not signed in. Try again, or ask the people who run kith.');
    await logInReturned({ code, state, iss: sent.get('iss') ?? undefined, sealed: left.sealed ?? '' });
    return entered();
  };
}

async function entered(): Promise<Session> {
  const { data: session } = await whoAmI<Session>();
  if (!session) {
    throw new Failure(0, 'The key is good, but this browser keeps no secure cookie for this address. Open the page by https, or on this machine by http://127.0.0.1.');
  }
  return session;
}

interface LogInProps { isAgain: boolean; said?: string; provider?: string; onSession: (session: Session) => void }

export function LogIn({ isAgain, said, provider, onSession }: LogInProps) {
  const box = useRef<HTMLInputElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState(said ?? '');
  useEffect(() => { if (!provider) box.current?.focus(); }, [provider]);
  const goToProvider = () => {
    setBusy(true);
    setProblem('');
    leave().catch((failure: Failure) => {
      setBusy(false);
      setProblem(failure.status === 503 ? `${provider} cannot be reached right now. Try again in a moment.` : failure.message);
    });
  };
  const submit = (event: Event) => {
    event.preventDefault();
    const credential = box.current!.value;
    if (!credential.trim()) return;
    setBusy(true);
    setProblem('');
    enter(credential).then(
      (session) => { box.current!.value = ''; onSession(session); },
      (failure: Failure) => {
        setBusy(false);
        setProblem(failure.status === 401 ? 'This key or token is not good, or was revoked.' : failure.message);
        box.current?.select();
      },
    );
  };
  const form = (
    <form onSubmit={submit}>
      <label class="field" for="credential">Key or token</label>
      <input ref={box} id="credential" type="password" autocomplete="off" spellcheck={false} required placeholder="service_…" />
      <button type="submit" class={provider ? '' : 'main'} disabled={isBusy}>{isBusy ? 'Looking…' : 'Log in'}</button>
    </form>
  );
  return (
    <section class="login" aria-labelledby="login-title">
      <h1 id="login-title">{isAgain ? 'Log in again' : 'Who can introduce you?'}</h1>
      <p class="soft">
        {isAgain && (provider ? 'Your log-in ran out. Sign in once more and go on where you were; nothing is lost.'
          : 'Your key or token no longer holds. Log in with one that does, and go on where you were; nothing is lost.')}
        {!isAgain && (provider ? 'Sign in to see whom your organization knows, and your own contacts.'
          : 'Log in with a key of your organization, or with a token of your own to see your own contacts too.')}
      </p>
      {!isSecureContext && <p class="notice failed">This page was opened over plain http. Browsers keep its log-in only over https.</p>}
      {provider && <button type="button" class="main" disabled={isBusy} onClick={goToProvider}>Sign in with {provider}</button>}
      {provider ? <details><summary>With a key or token</summary>{form}</details> : form}
      <p class="problem" role="alert">{problem}</p>
      <p class="soft small">It is kept sealed, for this browser alone, and stays out of addresses and storage.</p>
    </section>
  );
}

/** What a visitor of `kith open` is told whom its link did not bring. */
export function LogInByLink({ said }: { said?: string }) {
  return (
    <section class="login" aria-labelledby="login-title">
      <h1 id="login-title">Open the link that kith printed</h1>
      {said && <p class="problem" role="alert">{said}</p>}
      <p class="soft">This network is open on this machine alone. Its link lets one browser in, once; there is no key.{!said && ' For another link end the program with Ctrl-C and start it again.'}</p>
    </section>
  );
}

/** The log-in if a proxy knows the user: in another tab, so that nothing of this one is lost. */
export function LogInElsewhere({ isAgain, onBack }: { isAgain: boolean; onBack: () => void }) {
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    head.current?.focus();
    const onShown = () => { if (document.visibilityState === 'visible') onBack(); };
    document.addEventListener('visibilitychange', onShown);
    return () => document.removeEventListener('visibilitychange', onShown);
  }, []);
  return (
    <section class="login" aria-labelledby="login-title">
      <h1 id="login-title" tabIndex={-1} ref={head}>{isAgain ? 'Log in again' : 'You are not let in'}</h1>
      <p class="soft">
        {isAgain
          ? 'Your organization’s log-in ran out. Log in there once more and come back to this tab; nothing is lost.'
          : 'Your organization’s log-in let you through, and this server knows nobody by what it was sent. Ask its operator, or log in as somebody else.'}
      </p>
      <div class="buttons">
        <a class="button main" href="explore" target="_blank" rel="noopener">Log in, in another tab</a>
        <button type="button" onClick={onBack}>I am back</button>
      </div>
    </section>
  );
}
