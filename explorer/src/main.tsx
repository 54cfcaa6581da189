/** The page: who is logged in, which screen is open, and the keys that work everywhere. */

import { render } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { Failure, getDoubles, logOut, onRefused, press, whoAmI } from './api.ts';
import { Doubles } from './doubles.tsx';
import type { DoublesHeld } from './doubles.tsx';
import { AddedFiles, Further, useFurther } from './further.tsx';
import { Epoch } from './load.ts';
import { enter, enterByCode, LogIn, LogInByLink, LogInElsewhere, takeReturned } from './login.tsx';
import { paste } from './lists.ts';
import { go, link, useRoute } from './route.ts';
import type { Route } from './route.ts';
import { SearchBox } from './searchbox.tsx';
import { Ask } from './screens/ask.tsx';
import { Asks } from './screens/asks.tsx';
import { Changes } from './screens/changes.tsx';
import { CompanyPaths } from './screens/company.tsx';
import { DoublesScreen } from './screens/doubles.tsx';
import { Home } from './screens/home.tsx';
import { Many } from './screens/many.tsx';
import { Behind, Mine, NeedsToken, People } from './screens/mine.tsx';
import { Opportunities } from './screens/opportunities.tsx';
import { PersonPaths } from './screens/paths.tsx';
import { PersonScreen } from './screens/person.tsx';
import { Report } from './screens/report.tsx';
import { You } from './screens/you.tsx';
import { Face, Failed, Head, Loading, LogoHosts, Name } from './ui.tsx';
import type { Session } from './types.ts';

/**
 * The demo's link brings its made-up key in the fragment; it leaves the address before anything else happens. Other
 * servers take no such link: a user could be made to look at, or to paste their list into, another's network.
 * The link of `kith open` brings a code that its own server alone takes, once.
 */
function takeKey(): Brought | undefined {
  const sent = /^#(key|code)=([^&]*)(?:&to=(.*))?/s.exec(location.hash);
  if (!sent) return undefined;
  history.replaceState(null, '', `${location.pathname}#${decoded(sent[3] ?? '/')}`);
  return { kind: sent[1] as Brought['kind'], text: decoded(sent[2]!) };
}

/** The text that `%` and two digits stand for; as it is, if it stands for none. */
function decoded(text: string): string {
  try { return decodeURIComponent(text); } catch { return text; }
}

const NO_HOSTS: readonly string[] = [];

interface Brought { kind: 'key' | 'code'; text: string }

const GONE = {
  key: 'The key of this link no longer holds.',
  code: 'This link was used before, its time is over, or the network does not have you yet. Ask the person who sent it.',
  opened: 'This link was used before, or its time is over. End the program with Ctrl-C and start it again: it prints a new one.',
} as const;

function Screen({ route, session, pasted }: { route: Route; session: Session; pasted: number }) {
  switch (route.screen) {
    case '': return <Home session={session} />;
    case 'paths': return <PersonPaths key={route.id} route={route} session={session} />;
    case 'company': return <CompanyPaths key={route.id} route={route} session={session} />;
    case 'person': return <PersonScreen key={route.id} id={route.id} session={session} />;
    case 'ask': return <Ask route={route} />;
    case 'mine': return session.member ? <Mine session={session} /> : <NeedsToken title="My contacts" />;
    case 'people': return <People key={route.params.get('q')} route={route} />;
    case 'behind': return session.member ? <Behind key={route.id} route={route} /> : <NeedsToken title="Behind my contacts" />;
    case 'opportunities': return <Opportunities route={route} />;
    case 'report': return session.report ? <Report /> : <article><Head title="There is no report" /><p>What was imported is shown by the program that imported it, as long as that runs.</p></article>;
    case 'doubles': return session.report ? <DoublesScreen route={route} /> : <article><Head title="There are no doubles to answer" /><p>They are shown by the program that imported the files, as long as that runs.</p></article>;
    case 'changes': return <Changes route={route} session={session} />;
    case 'asks': return session.asks ? <Asks route={route} session={session} /> : <article><Head title="No asks are kept here" /><p>The people who run kith turn them on with --asks.</p></article>;
    case 'you': return <You session={session} />;
    case 'many': return <Many key={pasted} session={session} />;
    default: return <article><Head title="There is no such page" /><p><a href={link('')}>To the first page</a></p></article>;
  }
}

/** A place of the side bar: the screens that belong to it, and its picture, drawn in 20 by 20. */
interface Place { to: string; name: string; screens: readonly string[]; icon: string }

/** The places that lead somewhere for this network and this visitor. */
function placesOf(session: Session): Place[] {
  const places: (Place | false)[] = [
    { to: '', name: 'Find', screens: ['', 'paths', 'company', 'person', 'ask', 'people', 'mine', 'behind', 'opportunities'], icon: 'M9 3a6 6 0 1 0 0 12A6 6 0 0 0 9 3zm4.5 10.5L18 18' },
    { to: 'many', name: 'Lists', screens: ['many'], icon: 'M3 5h.01M7 5h10M3 10h.01M7 10h10M3 15h.01M7 15h10' },
    !!session.asks && { to: 'asks', name: 'Asks', screens: ['asks'], icon: 'M3 4h14v9H9l-4 4v-4H3z' },
    !!(session.before !== null || session.quiet || session.asks || session.report) && { to: 'changes', name: 'What’s new', screens: ['changes'], icon: 'M10 2v4m0 8v4M2 10h4m8 0h4M10 8a2 2 0 1 0 0 4 2 2 0 0 0 0-4z' },
    !!session.report && { to: 'report', name: 'Import', screens: ['report', 'doubles'], icon: 'M10 3v9m-4-4 4 4 4-4M3 17h14' },
  ];
  return places.filter((place) => place !== false);
}

const KEYS = [
  ['/ or Ctrl K', 'to the search box'], ['↑ ↓', 'through a list of introductions'], ['Home End', 'to its first and last'],
  ['Enter', 'opens one, and closes it'], ['Esc', 'closes what is open'], ['?', 'this list'],
] as const;

/** Whether keys are for what is typed. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.matches('input:not([type=checkbox],[type=radio]), textarea, select') || !!target.closest('dialog'));

function useKeys(isIn: boolean, showKeys: () => void) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isPalette = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k';
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target);
      if (!isIn || event.isComposing || document.querySelector('dialog[open]')) return;
      if (isPalette || (isPlain && event.key === '/')) {
        event.preventDefault();
        const box = document.querySelector<HTMLInputElement>('[data-box=large]') ?? document.querySelector<HTMLInputElement>('[data-box]');
        box?.focus();
        box?.select();
      } else if (isPlain && event.key === '?') {
        event.preventDefault();
        showKeys();
      }
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [isIn]);
}

/** A list that is pasted into the box, or beside all boxes, is opened as one. Returns how many there were. */
function usePasted(isIn: boolean): number {
  const [many, setMany] = useState(0);
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData('text') ?? '';
      const isElsewhere = isTyping(event.target) && !(event.target as Element).matches('[data-box]');
      if (!isIn || isElsewhere || text.trim().split('\n').length < 2) return;
      event.preventDefault();
      paste(text);
      setMany((before) => before + 1);
      go(link('many'));
    };
    addEventListener('paste', onPaste);
    return () => removeEventListener('paste', onPaste);
  }, [isIn]);
  return many;
}

type Who = { at: 'asking' } | { at: 'out'; said?: string } | { at: 'in'; session: Session } | { at: 'unknown'; failure: Failure };

/** Likely doubles for all screens: asked for at each log-in, and after each answer. */
function useDoubles(session: Session | undefined, epoch: number): DoublesHeld {
  const [of, setOf] = useState<DoublesHeld['of']>();
  const load = () => session?.report ? getDoubles().then(setOf, () => setOf(undefined)) : Promise.resolve(setOf(undefined));
  useEffect(() => { load(); }, [session, epoch]);
  const answer: DoublesHeld['answer'] = (double, said) =>
    press('doubles', { a: double.a.id, b: double.b.id, answer: said }).then(load);
  const untie: DoublesHeld['untie'] = (a, b, untied) => press('untied', { a, b, untied }).then(load);
  return { of, answer, untie };
}

function App({ brought, returned }: { brought?: Brought; returned?: () => Promise<Session> }) {
  const route = useRoute();
  const [who, setWho] = useState<Who>({ at: 'asking' });
  const [held, setHeld] = useState<Session>();
  const [epoch, setEpoch] = useState(0);
  /** Whether a proxy logs people in: then there is nothing to paste, and nothing of ours to end. */
  const [isProxied, setProxied] = useState(false);
  /** Whether `kith open` serves the page: then a link alone lets in, and nobody has a key. */
  const [isOpened, setOpened] = useState(false);
  /** The identity provider at which people sign in, and where it ends what it keeps of who has just logged out. */
  const [provider, setProvider] = useState<string>();
  const [leftTo, setLeftTo] = useState<string>();
  const keys = useRef<HTMLDialogElement>(null);
  const doubles = useDoubles(who.at === 'in' ? who.session : undefined, epoch);

  const welcome = useCallback((session: Session) => {
    setHeld(session);
    setWho({ at: 'in', session });
    setEpoch((before) => before + 1);
  }, []);
  const find = (key?: Brought, logIn?: () => Promise<Session>) => {
    setWho({ at: 'asking' });
    let kind: keyof typeof GONE | undefined = key?.kind;
    const enterBy = ({ data, links, opened, proxied, provider }: Awaited<ReturnType<typeof whoAmI<Session>>>) => {
      setProxied(proxied);
      setOpened(opened);
      if (opened && kind === 'code') kind = 'opened';
      setProvider(provider);
      if (logIn) return logIn();
      if (key?.kind === 'code') return enterByCode(key.text, data);
      return key && links ? enter(key.text) : data;
    };
    whoAmI<Session>().then(enterBy).then(
      (session) => session ? welcome(session) : setWho({ at: 'out' }),
      (failure: Failure) => setWho(failure.status === 401 || logIn
        ? { at: 'out', said: kind ? GONE[kind] : logIn && failure.message } : { at: 'unknown', failure }),
    );
  };
  useEffect(() => {
    onRefused(() => setWho((now) => now.at === 'in' ? { at: 'out' } : now));
    find(brought, returned);
    // A link of the demo that is opened in the same tab.
    const onHash = () => { const key = takeKey(); if (key) { find(key); dispatchEvent(new HashChangeEvent('hashchange')); } };
    // A page that "back" brings from memory shows what was true when it was left.
    const onShow = (event: PageTransitionEvent) => { if (event.persisted) find(); };
    addEventListener('hashchange', onHash);
    addEventListener('pageshow', onShow);
    return () => { removeEventListener('hashchange', onHash); removeEventListener('pageshow', onShow); };
  }, []);
  const further = useFurther(who.at === 'in' && !!held?.adds, () => whoAmI<Session>().then(({ data }) => data && welcome(data)));
  useKeys(who.at === 'in', () => keys.current?.showModal());
  const pasted = usePasted(who.at === 'in');

  const leave = () => {
    logOut().catch(() => undefined).then((address) => { setLeftTo(address); setHeld(undefined); find(); });
  };
  const isIn = who.at === 'in';
  const visitor = held?.member?.name ?? held?.organization.name ?? '';
  const isHome = route.screen === '';
  return (
    <Epoch.Provider value={epoch}><Doubles.Provider value={doubles}><LogoHosts.Provider value={held?.logoHosts ?? NO_HOSTS}><Further.Provider value={further}>
      {isIn && <a class="skip" href="#main" onClick={(event) => { event.preventDefault(); document.querySelector<HTMLElement>('main h1')?.focus(); }}>To the content</a>}
      <header class="top">
        <div class="strip">
          <a class="mark" href={link('')}><img src="explore/icon.svg" alt="" width="26" height="26" />kith</a>
          {isIn && !isHome && <SearchBox />}
        </div>
        {isIn && held && (
          <>
            <nav aria-label="Screens">
              {placesOf(held).map(({ to, name, screens, icon }) => (
                <a key={to} href={link(to)} aria-current={screens.includes(route.screen) ? 'page' : undefined}>
                  <svg viewBox="0 0 20 20" aria-hidden="true"><path d={icon} /></svg>{name}
                </a>
              ))}
            </nav>
            <span class="me">
              <a class="faced" href={link('you')} aria-current={route.screen === 'you' ? 'page' : undefined}><Face name={visitor} /><span class="soft"><Name of={visitor} /></span></a>
              {!isProxied && <button type="button" class="text" onClick={leave}>Log out</button>}
            </span>
          </>
        )}
      </header>
      <main id="main">
        {who.at === 'asking' && !held && <Loading what="One moment…" />}
        {who.at === 'unknown' && <Failed failure={who.failure} again={() => find()} />}
        {who.at === 'out' && isProxied && <LogInElsewhere isAgain={!!held} onBack={() => find()} />}
        {who.at === 'out' && isOpened && <LogInByLink said={who.said} />}
        {who.at === 'out' && !isProxied && !isOpened && <LogIn isAgain={!!held} said={who.said} provider={provider} onSession={welcome} />}
        {who.at === 'out' && leftTo && <p class="soft login">You are logged out here. <a href={leftTo}>Log out of {provider} too</a></p>}
        {isIn && <AddedFiles added={further.added} />}
        {held && (
          <div hidden={!isIn} key={`${held.organization.id} ${held.member?.userId ?? ''}`}>
            <Screen route={route} session={held} pasted={pasted} />
          </div>
        )}
      </main>
      <footer class="soft">
        {isIn && <button type="button" class="text" onClick={() => keys.current?.showModal()}>Keys</button>}
        <a href="docs">The API</a>
      </footer>
      <dialog ref={keys} class="keys" aria-labelledby="keys-title">
        <h2 id="keys-title">Keys</h2>
        <dl>{KEYS.map(([key, does]) => <div key={key}><dt><kbd>{key}</kbd></dt><dd>{does}</dd></div>)}</dl>
        <button type="button" onClick={() => keys.current?.close()}>Close</button>
      </dialog>
    </Further.Provider></LogoHosts.Provider></Doubles.Provider></Epoch.Provider>
  );
}

render(<App returned={takeReturned()} brought={takeKey()} />, document.getElementById('app')!);
