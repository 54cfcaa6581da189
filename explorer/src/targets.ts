/** A pasted list or a CSV as targets of a batch. Nothing is guessed twice: each line is read by one rule, and shown. */

export interface Target { id?: string; linkedinId?: string; email?: string; name?: string; at?: string; company?: string; position?: string }
export interface Line { line: number; text: string; target: Target }
export interface Read { lines: Line[]; left: number }

/** The most targets that one request takes. */
export const TARGETS_MAX = 500;

/** What columns are called in lists that people have. */
const COLUMNS: Record<string, readonly string[]> = {
  id: ['id', 'person id', 'company id'],
  linkedinId: ['linkedin', 'linkedin id', 'linkedin url', 'profile', 'profile url', 'public profile url', 'handle', 'url', 'linkedinid'],
  email: ['email', 'e-mail', 'email address', 'e-mail address', 'mail', 'work email'],
  name: ['name', 'full name', 'person', 'contact', 'contact name'],
  first: ['first name', 'firstname', 'given name'],
  last: ['last name', 'lastname', 'surname', 'family name'],
  at: ['company', 'company name', 'organization', 'organisation', 'employer', 'account', 'account name'],
  position: ['position', 'title', 'job title', 'role'],
};

/** Records of cells, with the line each begins on; quotes as in RFC 4180. */
export function cells(text: string, separator: string): { line: number; cells: string[] }[] {
  const records: { line: number; cells: string[] }[] = [];
  let [line, start, cell, isQuoted, row] = [1, 1, '', false, [] as string[]];
  const end = () => {
    row.push(cell.trim());
    if (row.some(Boolean)) records.push({ line: start, cells: row });
    [row, cell, start] = [[], '', line + 1];
  };
  const source = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  for (let at = 0; at < source.length; at++) {
    const letter = source[at]!;
    if (isQuoted) {
      if (letter === '"' && source[at + 1] === '"') { cell += '"'; at++; }
      else if (letter === '"') isQuoted = false;
      else { cell += letter; if (letter === '\n') line++; }
    } else if (letter === '"' && !cell.trim()) { isQuoted = true; cell = ''; }
    else if (letter === separator) { row.push(cell.trim()); cell = ''; }
    else if (letter === '\n') { end(); line++; }
    else cell += letter;
  }
  end();
  return records;
}

/** The sign that the first line is cut by most often. */
function separatorOf(text: string): string {
  const first = text.split('\n', 1)[0] ?? '';
  const often = (sign: string) => first.split(sign).length;
  return ['\t', ';', ','].reduce((best, sign) => often(sign) > often(best) ? sign : best, ',');
}

const EMAIL = /^[^\s@,;]+@[^\s@,;]+\.[^\s@,;]+$/;

/** The handle in the address of a profile. */
function handleIn(text: string): string | undefined {
  const handle = /linkedin\.com\/(?:in|pub)\/([^/?#\s]+)/i.exec(text)?.[1];
  if (!handle) return undefined;
  try {
    return decodeURIComponent(handle);
  } catch {
    return handle;
  }
}

function headerOf(first: readonly string[]): (string | undefined)[] | undefined {
  const named = first.map((cell) => Object.keys(COLUMNS).find((key) => COLUMNS[key]!.includes(cell.toLowerCase())));
  return named.some(Boolean) && named.filter(Boolean).length * 2 >= first.filter(Boolean).length ? named : undefined;
}

/** The most telling of what a row says. */
function target(said: Record<string, string>): Target | undefined {
  const { id, linkedinId, email, at, position } = said;
  const name = said['name'] || [said['first'], said['last']].filter(Boolean).join(' ');
  if (id && /^(person|company)_/.test(id)) return { id };
  if (linkedinId) return { linkedinId: handleIn(linkedinId) ?? linkedinId };
  if (email) return { email };
  if (name) return at ? { name, at } : { name };
  if (at) return position ? { company: at, position } : { company: at };
  return undefined;
}

function byHeader(row: readonly string[], header: readonly (string | undefined)[]): Target | undefined {
  const said: Record<string, string> = {};
  header.forEach((key, at) => { if (key && row[at] && !said[key]) said[key] = row[at]; });
  return target(said);
}

function byLook(row: readonly string[], alone: 'people' | 'companies'): Target | undefined {
  const [first = '', second = ''] = row.filter(Boolean);
  const id = row.find((cell) => /^(person|company)_\S+$/.test(cell));
  if (id) return { id };
  const linkedinId = row.map(handleIn).find(Boolean);
  if (linkedinId) return { linkedinId };
  const email = row.map((cell) => /<([^<>]+)>\s*$/.exec(cell)?.[1] ?? cell).find((cell) => EMAIL.test(cell));
  if (email) return { email };
  if (!first) return undefined;
  if (second) return { name: first, at: second };
  if (/^[a-z0-9]+(-[a-z0-9]+)+$/.test(first)) return { linkedinId: first };
  return alone === 'people' ? { name: first } : { company: first };
}

/** Reads `text`; a line that is one name alone is of `alone`. `left` counts the lines beyond the most. */
export function readTargets(text: string, alone: 'people' | 'companies'): Read {
  const records = cells(text, separatorOf(text.trimStart()));
  const header = records[0] && headerOf(records[0].cells);
  const lines = (header ? records.slice(1) : records).flatMap(({ line, cells: row }) => {
    const found = header ? byHeader(row, header) : byLook(row, alone);
    return found ? [{ line, text: row.filter(Boolean).join(', '), target: found }] : [];
  });
  return { lines: lines.slice(0, TARGETS_MAX), left: Math.max(0, lines.length - TARGETS_MAX) };
}

/** How a target was read, in words. */
export function readAs({ id, linkedinId, email, name, at, company, position }: Target): string {
  if (id) return `id ${id}`;
  if (linkedinId) return `handle ${linkedinId}`;
  if (email) return `address ${email}`;
  if (company) return position ? `${position} at ${company}` : `company ${company}`;
  return at ? `${name} at ${at}` : `${name}`;
}
