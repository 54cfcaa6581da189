/** How a message begins: whom it greets, out of a name as exports have it, and whether it has been a while. */

const TITLES = new Set('mr mrs ms miss mx dr prof professor sir dame herr frau hr fr dipl ing mag rev capt col lt med phil rer nat jur univ habil em pd ra freiherr freifrau baron baroness graf gräfin'.split(' '));
const DEGREES = new Set('mba emba phd dphil md msc bsc ma ba bs ms mfa meng edd jd llm mph dds rn pe cpa cfa cfp fca acca pmp esq cissp shrm sphr csm'.split(' '));
const PARTICLES = new Set('von van vom zu zum zur de del della der den di da do dos du la le el al bin ibn ter ten'.split(' '));
/** Signs that belong to a name in its cell, and to nobody's greeting. */
const SIGNS = /[^\p{L}\p{M}\p{N}\s.,'’·-]|\p{Extended_Pictographic}/gu;
/** Writing in which the family name comes first. */
const FAMILY_FIRST = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** Writing of which it is known that the first word is a name by itself. */
const GIVEN_FIRST = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{M}'’.-]+$/u;

const bare = (word: string): string => word.toLowerCase().replace(/[.,]/gu, '');
const isTitle = (word: string): boolean => bare(word).split('-').every((part) => TITLES.has(part));
/** A degree that is known, or capitals behind a comma. */
const isDegree = (word: string): boolean => DEGREES.has(bare(word)) || /^[\p{Lu}.]{2,6}$/u.test(word);
const isInitial = (word: string): boolean => /^\p{L}\p{M}*\.?$/u.test(word);
const wordsOf = (text: string): string[] => text.split(/[\s\u00a0]+/u).filter((word) => /\p{L}/u.test(word));

/** The words of the name in the order given name, family name: `Perrin, Jean-Luc` is turned, degrees behind a comma go. */
function inOrder(text: string): string[] {
  const [before = [], ...behind] = text.split(',').map(wordsOf);
  const rest = behind.flat().filter((word) => !isDegree(word));
  const isFamily = before.length === 1 || PARTICLES.has(bare(before[0] ?? ''));
  return isFamily ? [...rest, ...before] : before;
}

/** `bettina` and `JEAN-LUC` with capitals as names have them. */
function cased(word: string, isShouted: boolean): string {
  if (word !== word.toLowerCase() && !isShouted) return word;
  return word.toLowerCase().replace(/(^|[-'’])(\p{L})/gu, (_, sign: string, letter: string) => sign + letter.toUpperCase());
}

/** The given name without titles, degrees, emoji and signs; the whole name if the family name comes first in its writing. */
export function greeting(name: string): string {
  const spaced = name.replace(/\s+/gu, ' ').trim();
  const clean = spaced.replace(/[([{（［].*?([)\]}）］]|$)/gu, ' ').replace(SIGNS, ' ');
  if (FAMILY_FIRST.test(clean)) return clean.replace(/\s+/gu, ' ').trim();
  const words = inOrder(clean);
  while (words.length > 1 && isTitle(words[0]!)) words.shift();
  while (words.length > 2 && DEGREES.has(bare(words.at(-1)!))) words.pop();
  const at = words.slice(0, -1).findIndex((word) => !isInitial(word));
  const given = words.length > 1 ? words[at] : words[0];
  if (!given || !GIVEN_FIRST.test(given)) return words.join(' ') || spaced;
  const isShouted = given.length > 2 && words.every((word) => word === word.toUpperCase());
  return cased(given, isShouted);
}

/** After how many days without contact it has been a while. */
const A_WHILE_DAYS = 183;

/** Whether it is known that the last mail, message, meeting or call is more than half a year ago; a connection is none of them. */
export function isLongAgo(evidence: readonly { kind: string; at: string }[] | undefined, now: number): boolean {
  const contacts = (evidence ?? []).filter(({ kind }) => /^(e?mail|message|meeting|call)/u.test(kind));
  return contacts.length > 0 && Math.max(...contacts.map(({ at }) => Date.parse(at))) < now - A_WHILE_DAYS * 86_400_000;
}
