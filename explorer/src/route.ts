/** Where the page is: in the fragment, which no server and no proxy ever sees. */

import { useEffect, useState } from 'preact/hooks';

export interface Route { screen: string; id: string; params: URLSearchParams }

/** Reads `#/screen/id?name=value`; anything else is the first screen. */
export function parse(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [screen = '', id = ''] = path.split('/', 2);
  return { screen, id: decoded(id), params: new URLSearchParams(search) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

type Params = Record<string, string | undefined>;

/** Writes what `parse` reads; parameters without a value are left out. */
export function link(screen: string, id = '', params: Params = {}): string {
  const kept = Object.entries(params).filter((entry): entry is [string, string] => !!entry[1]);
  const search = new URLSearchParams(kept).toString();
  return `#/${screen}${id && `/${encodeURIComponent(id)}`}${search && `?${search}`}`;
}

export function go(to: string): void {
  location.hash = to;
}

/** The route with some parameters changed; an empty one is removed. */
export function changed(route: Route, params: Params): string {
  return link(route.screen, route.id, { ...Object.fromEntries(route.params), ...params });
}

/** Changes parameters of the present route in place: no step for "back". */
export function tune(route: Route, params: Params): void {
  history.replaceState(null, '', changed(route, params));
  dispatchEvent(new HashChangeEvent('hashchange'));
}

export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const moved = () => setHash(location.hash);
    addEventListener('hashchange', moved);
    return () => removeEventListener('hashchange', moved);
  }, []);
  return parse(hash);
}
