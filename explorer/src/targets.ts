/** A pasted list or a table as targets of a batch: each line is a text that the server reads. */

/** A line of the list: what it has in each column, and the text that is asked for. */
export interface Line { line: number; text: string; cells: string[] }
/** The list; `head` are the columns of a table, `left` counts the lines beyond the most. */
export interface Read { head: string[]; lines: Line[]; left: number }

/** The most targets that one request takes. */
export const TARGETS_MAX = 500;

/** What columns are called in tables that people have, in five languages, in the order in which a text is made of them. */
const COLUMNS = {
  id: ['id', 'person id', 'company id'],
  first: ['first name', 'firstname', 'given name', 'first', 'vorname', 'prénom', 'nombre', 'voornaam'],
  last: ['last name', 'lastname', 'surname', 'family name', 'last', 'nachname', 'nom de famille', 'apellido', 'apellidos', 'achternaam'],
  name: ['name', 'full name', 'person', 'contact', 'contact name', 'investor', 'nom', 'nombre completo', 'naam', 'ansprechpartner', 'kontakt'],
  email: ['email', 'e-mail', 'email address', 'e-mail address', 'mail', 'work email', 'e-mail-adresse', 'courriel', 'correo', 'e-mailadres'],
  profile: ['linkedin', 'linkedin id', 'linkedin url', 'profile', 'profile url', 'public profile url', 'handle', 'url', 'linkedinid'],
  company: ['company', 'company name', 'organization', 'organisation', 'employer', 'account', 'account name', 'firm', 'fund', 'firma', 'unternehmen', 'société', 'entreprise', 'empresa', 'bedrijf'],
  website: ['website', 'homepage', 'domain', 'company website', 'web', 'webseite', 'site web', 'sitio web'],
  position: ['position', 'title', 'job title', 'role', 'rolle', 'titel', 'poste', 'fonction', 'cargo', 'functie'],
} as const;
type Column = keyof typeof COLUMNS;

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

function headerOf(first: readonly string[]): (Column | undefined)[] | undefined {
  const known = Object.entries(COLUMNS) as [Column, readonly string[]][];
  const named = first.map((cell) => known.find(([, names]) => names.includes(cell.toLowerCase()))?.[0]);
  return named.some(Boolean) && named.filter(Boolean).length * 2 >= first.filter(Boolean).length ? named : undefined;
}

/** The text of a row of a table: what it says of the person, then of the firm. */
function textOf(row: readonly string[], header: readonly (Column | undefined)[]): string {
  const said = (column: Column) => row[header.indexOf(column)] || undefined;
  if (/^(person|company)_/.test(said('id') ?? '')) return said('id')!;
  // `Name;Vorname`: beside a given name alone, the name is the last one.
  const last = said('last') ?? (said('first') && said('name'));
  const name = (said('last') && said('name')) ?? ([said('first'), last ?? said('name')].filter(Boolean).join(' ') || undefined);
  const profile = said('profile');
  const handle = profile && !profile.includes('/') ? `linkedin.com/in/${profile}` : profile;
  return [name, said('email'), handle, said('company'), said('website'), said('position')].filter(Boolean).join('\t');
}

/** Reads `text`: a table if its first line names columns, else a target a line. */
export function readTargets(text: string): Read {
  const [first, ...rows] = cells(text, separatorOf(text.trimStart()));
  const header = first && headerOf(first.cells);
  const all = header
    ? rows.map((row) => ({ line: row.line, text: textOf(row.cells, header), cells: row.cells }))
    : text.replace(/^\uFEFF/, '').split(/\r\n?|\n/).map((line, at) => ({ line: at + 1, text: line.trim(), cells: [line.trim()] }));
  const lines = all.filter((line) => line.text);
  return {
    head: header ? first!.cells : ['asked for'],
    lines: lines.slice(0, TARGETS_MAX),
    left: Math.max(0, lines.length - TARGETS_MAX),
  };
}
