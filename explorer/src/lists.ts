/** The lists of a visitor, with what they noted of each line: they stay in the browser, and no server has them. */

import { keep, kept } from './kept.ts';

export const STATES = ['', 'to ask', 'asked', 'in touch', 'met', 'not now'] as const;
export type State = typeof STATES[number];

/** The state that comes next, if it goes well. */
export const nextOf = (state: State): State | undefined => STATES.slice(1, -1)[STATES.indexOf(state)];

export interface Note { state?: State; note?: string }
/** A list as it was pasted; `notes` are by the text of the line. */
export interface List { name: string; text: string; notes: Record<string, Note> }
export interface Lists { open: number; lists: List[] }

export const emptyList = (name: string): List => ({ name, text: '', notes: {} });

const nameOf = (organization: string): string => `lists-${organization}`;

/** The lists kept for an organization: one at least. */
export function listsOf(organization: string): Lists {
  const { open, lists } = kept<Lists>(nameOf(organization), { open: 0, lists: [] });
  return lists.length ? { open: Math.min(open, lists.length - 1), lists } : { open: 0, lists: [emptyList('My list')] };
}

/** Keeps the lists; of lists without a line, a note or a name of their own nothing stays. */
export function keepLists(organization: string, all: Lists): void {
  const isEmpty = all.lists.length === 1 && !all.lists[0]!.text;
  keep(nameOf(organization), isEmpty ? undefined : all);
}

let pasted: string | undefined;

/** Keeps a list that was pasted anywhere on the page, for the screen of lists. */
export const paste = (text: string): void => { pasted = text; };

/** The lists, and the pasted one among them: in the place of an empty one, else a new one. */
export function withPasted(organization: string): Lists {
  const { open, lists } = listsOf(organization);
  if (pasted === undefined) return { open, lists };
  const place = lists[open]!.text ? lists.length : open;
  const list = { ...lists[place] ?? emptyList(`List ${place + 1}`), text: pasted };
  pasted = undefined;
  const all = { open: place, lists: [...lists.slice(0, place), list, ...lists.slice(place + 1)] };
  keepLists(organization, all);
  return all;
}
