/** Answers for screens: asked again for each visit, dropped with it, nothing kept for later. */

import { createContext } from 'preact';
import { useCallback, useContext, useEffect, useState } from 'preact/hooks';
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

interface Page { hasMore: boolean; nextOffset?: number }

/** As `useLoad`, of a list in pages: `more` asks for the next and puts it behind the others. */
export function usePages<P extends Page, E>(
  key: string,
  load: (offset: number, signal: AbortSignal) => Promise<P>,
  entries: (page: P) => E[],
): { loaded: Loaded<P>; all: E[]; again: () => void; more?: () => void; isMore: boolean; failure?: Failure } {
  const epoch = useContext(Epoch);
  const [loaded, again] = useLoad(key, (signal) => load(0, signal));
  const first = loaded.at === 'ready' ? loaded.value : undefined;
  const [next, setNext] = useState<{ of?: P; all: E[]; last?: P; isBusy: boolean; failure?: Failure }>({ all: [], isBusy: false });
  const is = next.of !== undefined && next.of === first;
  const last = is ? next.last ?? first : first;
  const all = first ? [...entries(first), ...(is ? next.all : [])] : [];
  useEffect(() => setNext({ all: [], isBusy: false }), [epoch, key]);
  const offset = last?.hasMore ? last.nextOffset : undefined;
  const more = offset === undefined ? undefined : () => {
    const kept = is ? next.all : [];
    setNext({ of: first, all: kept, last, isBusy: true });
    load(offset, new AbortController().signal).then(
      (page) => setNext((now) => now.of === first ? { of: first, all: [...kept, ...entries(page)], last: page, isBusy: false } : now),
      (failure: Failure) => setNext((now) => now.of === first ? { of: first, all: kept, last, isBusy: false, failure } : now),
    );
  };
  return { loaded, all, again, more, isMore: is && next.isBusy, failure: is ? next.failure : undefined };
}
