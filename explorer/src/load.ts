/** Answers for screens: asked again for each visit, dropped with it, nothing kept for later. */

import { createContext } from 'preact';
import { useCallback, useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Failure } from './api.ts';

export type Loaded<T> = { at: 'loading' } | { at: 'ready'; value: T } | { at: 'failed'; failure: Failure };

/** Counts log-ins and returns to the page: what was asked before is asked again. */
export const Epoch = createContext(0);

const LOADING = { at: 'loading' } as const;

/**
 * The answer of `load`, asked again whenever `key` changes; an older request is given up. Never shows the answer to
 * another key.
 */
export function useLoad<T>(key: string, load: (signal: AbortSignal) => Promise<T>): [Loaded<T>, () => void] {
  const epoch = useContext(Epoch);
  const [turn, setTurn] = useState(0);
  const [held, setHeld] = useState<{ key: string; loaded: Loaded<T> }>({ key: '', loaded: LOADING });
  const full = `${epoch} ${turn} ${key}`;
  useEffect(() => {
    const asked = new AbortController();
    const hold = (loaded: Loaded<T>) => asked.signal.aborted || setHeld({ key: full, loaded });
    load(asked.signal).then(
      (value) => hold({ at: 'ready', value }),
      (cause) => hold({ at: 'failed', failure: cause instanceof Failure ? cause : new Failure(0, String(cause)) }),
    );
    return () => asked.abort();
  }, [full]);
  const again = useCallback(() => setTurn((before) => before + 1), []);
  return [held.key === full ? held.loaded : LOADING, again];
}

/** Of all pages that are left so many are shown at a time. */
const SHOWN_EACH = 20;

interface Page { hasMore: boolean; nextOffset?: number }

/**
 * As `useLoad`, of a list in pages: `more` asks for the next and puts it behind the others, `rest` for all that are left,
 * one after the other.
 */
export function usePages<P extends Page, E>(
  key: string,
  load: (offset: number, signal: AbortSignal) => Promise<P>,
  entries: (page: P) => E[],
): { loaded: Loaded<P>; all: E[]; again: () => void; more?: () => void; rest?: () => void; isMore: boolean; failure?: Failure } {
  const [loaded, again] = useLoad(key, (signal) => load(0, signal));
  const first = loaded.at === 'ready' ? loaded.value : undefined;
  const [next, setNext] = useState<{ of?: P; all: E[]; last?: P; isBusy: boolean; failure?: Failure }>({ all: [], isBusy: false });
  const is = next.of !== undefined && next.of === first;
  const last = is ? next.last ?? first : first;
  const all = useMemo(() => first ? [...entries(first), ...(is ? next.all : [])] : [], [first, is && next.all]);
  const turn = useRef(0);
  useEffect(() => { turn.current++; setNext({ all: [], isBusy: false }); }, [first]);
  const offset = last?.hasMore ? last.nextOffset : undefined;
  const further = async (isRest: boolean) => {
    const mine = turn.current;
    let [rows, end, from] = [is ? next.all : [], last, offset];
    const put = (isBusy: boolean, failure?: Failure) => { if (mine === turn.current) setNext({ of: first, all: rows, last: end, isBusy, failure }); };
    put(true);
    try {
      for (let pages = 1; ; pages++) {
        const page = await load(from!, new AbortController().signal);
        [rows, end, from] = [[...rows, ...entries(page)], page, page.hasMore ? page.nextOffset : undefined];
        if (!isRest || from === undefined || mine !== turn.current) break;
        if (pages % SHOWN_EACH === 0) put(true);
      }
      put(false);
    } catch (cause) {
      put(false, cause instanceof Failure ? cause : new Failure(0, String(cause)));
    }
  };
  const asked = (isRest: boolean) => offset === undefined ? undefined : () => { void further(isRest); };
  return { loaded, all, again, more: asked(false), rest: asked(true), isMore: is && next.isBusy, failure: is ? next.failure : undefined };
}
