/** The one box: people and companies while you type, and the whole text as a question in plain words. */

import { useContext, useEffect, useId, useRef, useState } from 'preact/hooks';
import { Failure, get } from './api.ts';
import { Doubles, othersOf } from './doubles.tsx';
import { go, link } from './route.ts';
import { Face, Name } from './ui.tsx';
import type { CompanyCard, PathPage, PersonHit } from './types.ts';
import { folded, matchWords, occupation } from './words.ts';

interface Hit { key: string; kind: 'Person' | 'Company' | 'People' | 'Ask'; name: string; note: string; to: string; logo?: string }

const WAIT = 120;
const PEOPLE = 6;
const COMPANIES = 4;

async function hits(text: string, signal: AbortSignal): Promise<Hit[]> {
  const [people, companies] = await Promise.all([
    get<{ data: PersonHit[] }>('search/people', { q: text, limit: PEOPLE }, signal),
    get<{ data: CompanyCard[] }>('search/companies', { q: text, limit: COMPANIES }, signal),
  ]);
  const found = companies.data.map((one): Hit => ({
    key: one.id, kind: 'Company', name: one.name,
    note: [one.industry, one.headquartersLocation].filter(Boolean).join(' · '), to: link('company', one.id), logo: one.logoUrl,
  }));
  if (!people.data.length && !found.length) return asWritten(text, signal);
  // A company that is named comes before the people who work there; people who are so called come before it.
  const isPerson = people.data.some((one) => folded(one.name).includes(folded(text)));
  const named = isPerson ? [] : found.filter((one) => folded(one.name).startsWith(folded(text)));
  return [
    ...named,
    ...people.data.map((one): Hit => ({
      key: one.id, kind: 'Person', name: one.name, note: occupation(one.position, one.company), to: link('paths', one.id),
    })),
    ...people.data.length === PEOPLE ? [{ key: 'people', kind: 'People' as const, name: `All with “${text}”`, note: '', to: link('people', '', { q: text }) }] : [],
    ...found.filter((one) => !named.includes(one)),
  ];
}

/** Whom or which firm a text means that is in no name as it stands: read as a line of a list, a profile's address or a nickname. */
async function asWritten(text: string, signal: AbortSignal): Promise<Hit[]> {
  const asked = { prospect: text, limit: 1, include: 'match,near' };
  const { prospect, company, match, near } = (await get<{ data: PathPage }>('search/warm-paths', asked, signal)).data;
  const people = prospect ? [prospect] : near?.people ?? [];
  // A firm that stands beside a name is not what is looked for.
  const isFirm = company && !match?.read?.name;
  return [
    ...people.map((one): Hit => ({
      key: one.id, kind: 'Person', name: one.name, to: link('paths', one.id),
      note: [occupation(one.position, one.company), prospect ? matchWords(match) : 'A name like it.'].filter(Boolean).join(' · '),
    })),
    ...isFirm ? [{ key: company.id, kind: 'Company' as const, name: company.name, note: '', to: link('company', company.id) }] : [],
  ];
}

export function SearchBox({ isLarge = false }: { isLarge?: boolean }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [found, setFound] = useState<{ of: string; hits: Hit[]; said?: string }>({ of: '', hits: [] });
  const [at, setAt] = useState(-1);
  const [isOpen, setOpen] = useState(false);
  const wanted = text.trim();
  const doubles = useContext(Doubles).of;

  useEffect(() => {
    if (!wanted) return setFound({ of: '', hits: [] });
    const asked = new AbortController();
    const wait = setTimeout(() => {
      hits(wanted, asked.signal).then(
        (all) => { setFound({ of: wanted, hits: all }); setAt(-1); },
        (cause) => { if (!asked.signal.aborted) setFound({ of: wanted, hits: [], said: cause instanceof Failure ? cause.message : String(cause) }); },
      );
    }, WAIT);
    return () => { clearTimeout(wait); asked.abort(); };
  }, [wanted]);

  const inWords: Hit[] = wanted ? [{ key: 'ask', kind: 'Ask', name: `Ask in plain words: ${wanted}`, note: '', to: link('ask', '', { q: wanted }) }] : [];
  const all = wanted ? [...(found.of ? found.hits : []), ...inWords] : [];
  const isShown = isOpen && all.length > 0;

  const open = (hit: Hit) => {
    setOpen(false);
    setText('');
    go(hit.to);
  };
  // Enter before the answer opens the first of it, when it is there.
  const [isEntered, setEntered] = useState(false);
  useEffect(() => {
    if (!isEntered || found.of !== wanted) return;
    setEntered(false);
    if (all[0]) open(all[0]);
  }, [isEntered, found, wanted]);
  const onKey = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const last = all.length - 1;
    const moves: Record<string, number> = {
      ArrowDown: at >= last ? 0 : at + 1, ArrowUp: at <= 0 ? last : at - 1, Home: 0, End: last,
    };
    if (event.key === 'Escape') {
      if (!isShown) setText('');
      setOpen(false);
    } else if (event.key === 'Enter' && wanted) {
      event.preventDefault();
      if (all[at]) open(all[at]);
      else setEntered(true);
    } else if (isShown && event.key in moves && !((event.key === 'Home' || event.key === 'End') && at < 0)) {
      event.preventDefault();
      setAt(moves[event.key]!);
    } else if (!isOpen && event.key === 'ArrowDown') {
      setOpen(true);
    }
  };

  return (
    <div class={isLarge ? 'search large' : 'search'} data-search role="search">
      <input ref={input} type="text" role="combobox" dir="auto" autocomplete="off" spellcheck={false} maxLength={200}
        aria-label="A person, a company, or a question" placeholder={isLarge ? 'A person, a company, or a question in plain words' : 'Find or ask'}
        aria-expanded={isShown} aria-controls={`${id}-list`} aria-autocomplete="list"
        aria-activedescendant={isShown && at >= 0 ? `${id}-${at}` : undefined} data-box={isLarge ? 'large' : 'small'}
        value={text} onInput={(event) => { setText(event.currentTarget.value); setOpen(true); setAt(-1); setEntered(false); }}
        onKeyDown={onKey} onFocus={() => setOpen(true)} onBlur={() => setOpen(false)} />
      <kbd aria-hidden="true">/</kbd>
      <ul id={`${id}-list`} role="listbox" aria-label="Found" hidden={!isShown} onMouseDown={(event) => event.preventDefault()}>
        {isShown && all.map((hit, place) => (
          <li key={hit.key} id={`${id}-${place}`} role="option" aria-selected={place === at}
            onMouseEnter={() => setAt(place)} onClick={() => open(hit)}>
            {hit.kind === 'Person' || hit.kind === 'Company' ? <Face name={hit.name} isFirm={hit.kind === 'Company'} logo={hit.logo} /> : <span class="face none" />}
            <span class={`kind ${hit.kind.toLowerCase()}`}>{hit.kind}</span>
            <span class="who"><b><Name of={hit.name} /></b>{hit.note && <span class="soft"><bdi>{hit.note}</bdi></span>}{hit.kind === 'Person' && othersOf(doubles, hit.key).length > 0 && <span class="soft">May be here twice</span>}</span>
          </li>
        ))}
      </ul>
      <span class="unseen" role="status">{found.said ?? (isShown && found.of ? `${all.length} found` : '')}</span>
    </div>
  );
}
