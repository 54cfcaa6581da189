/** What an import made of the files, and what its network can answer: the numbers of the report, and why rows were skipped. */

import { getReport } from '../api.ts';
import { GettingExports } from '../exports.tsx';
import { useLoad } from '../load.ts';
import { link } from '../route.ts';
import type { ImportReport } from '../types.ts';
import { Head, Name, Notice, When } from '../ui.tsx';
import { count, counted, date } from '../words.ts';

const NUMBERS = ['read', 'used', 'merged', 'skipped'] as const;
/** The format of a file of LinkedIn’s export that holds no contacts: its settings, skills and the like. */
const WITHOUT_CONTACTS = 'LinkedIn, no contacts';
const HEADS = { read: 'Rows read', used: 'Used', merged: 'Merged', skipped: 'Skipped' } as const;

export function Report() {
  const [loaded, again] = useLoad('', getReport);
  return (
    <article class="report">
      <Head title="What was imported" />
      <When of={loaded} again={again} what="Fetching the report…">{(report) => <Whole of={report} />}</When>
    </article>
  );
}

function Whole({ of }: { of: ImportReport }) {
  const { network, totals } = of;
  return (
    <>
      <p class="lead">
        {counted(totals.read, 'row')} of {counted(of.files.length + (of.filesLeft ?? 0), 'file')} gave {counted(network.people, 'person', 'people')}.
        Nothing of it left this machine.
      </p>
      <p class="buttons"><a class="button main" href={link('')}>Find who can introduce you</a></p>
      {(totals.doubles ?? 0) > 0 && (
        <Notice kind="plain">{counted(totals.doubles!, 'pair')} may be one person each. <a href={link('doubles')}>Look at them side by side</a>: a person who is there twice shows half their warmth on each.</Notice>
      )}
      <Network of={of} />
      <Files of={of} />
      <Skipped of={of} />
      <GettingExports isOpen={network.people < 100} />
      {of.notes.length > 0 && (
        <section class="panel">
          <h2>To look at</h2>
          <ul class="rows">
            {of.notes.map((note, at) => <li key={at}>{note.file && <><bdi>{note.file}</bdi>, line {note.line}: </>}<bdi>{note.note}</bdi></li>)}
          </ul>
          {of.notesLeft && <p class="soft">{counted(of.notesLeft, 'more note')} in the report’s file.</p>}
        </section>
      )}
    </>
  );
}

/** What the network can answer now. */
function Network({ of }: { of: ImportReport }) {
  const { network } = of;
  const share = (part: number) => `${network.people ? Math.floor(part * 100 / network.people) : 0} %`;
  const facts: [string, string, string][] = [
    ['members', 'Members', count(network.members)],
    ['advocates', 'Accepted advocates', count(network.advocates)],
    ['people', 'People', count(network.people)],
    ['reached', 'Known to one of them', count(network.reached)],
    ['edges', 'Ties', count(network.edges)],
    ['withHandle', 'With a profile', share(network.withHandle)],
    ['withEmail', 'With an e-mail address', share(network.withEmail)],
    ['withCompany', 'With a company', share(network.withCompany)],
  ];
  return (
    <section class="panel">
      <h2>What it can answer now</h2>
      <dl class="factors">{facts.map(([key, name, value]) => <div key={key}><dt>{name}</dt><dd data-fact={key}>{value}</dd></div>)}</dl>
      {network.reached === 0 && <Notice>Nobody can be reached: no file is of a member or an advocate. A member’s own contacts make the ties.</Notice>}
      <p class="soft">
        Members reach their own contacts directly. People whom nobody of you knows need advocates: the team file names them and
        their files. Ages of ties count from {date(of.asOf)}.
      </p>
    </section>
  );
}

function Files({ of }: { of: ImportReport }) {
  const without = of.files.filter((file) => file.format === WITHOUT_CONTACTS);
  const names = [...new Set(without.map(({ file }) => file.split(/[/\\]/).pop()!))].sort();
  const number = (name: typeof NUMBERS[number], value: number) => <td key={name} data-head={HEADS[name]} data-number={name}>{count(value)}</td>;
  return (
    <section>
      <h2>Files</h2>
      <div class="table" role="region" aria-label="Files" tabIndex={0}>
        <table>
          <thead><tr><th scope="col">File</th><th scope="col">What it is</th>{NUMBERS.map((name) => <th key={name} scope="col">{HEADS[name]}</th>)}</tr></thead>
          <tbody>
            {of.files.filter((file) => file.format !== WITHOUT_CONTACTS).map((file) => (
              <tr key={file.file} data-file={file.file}>
                <td data-head="File"><Name of={file.file} />{file.fault && <div class="problem small"><bdi>{file.fault}</bdi></div>}</td>
                <td data-head="What it is">{file.format || <span class="soft">no known export</span>}</td>
                {NUMBERS.map((name) => number(name, file[name]))}
              </tr>
            ))}
            <tr data-file=""><td><b>All</b></td><td></td>{NUMBERS.map((name) => number(name, of.totals[name]))}</tr>
          </tbody>
        </table>
      </div>
      {without.length > 0 && (
        <p class="soft" data-without={without.length}>
          {counted(without.length, 'file')} of LinkedIn’s export {without.length === 1 ? 'holds' : 'hold'} no contacts, as expected: <bdi>{names.join(', ')}</bdi>.
        </p>
      )}
      {of.filesLeft && <p class="soft">{counted(of.filesLeft, 'more file')} in the report’s file.</p>}
      <p class="soft small">“Used” is the first row of a person, “merged” every further one.</p>
    </section>
  );
}

interface Reason { reason: string; rows: number; places: string[] }

/** The skipped rows by reason, those with most rows first; of a long report the first places alone. */
function reasons(of: ImportReport): Reason[] {
  const all = new Map<string, string[]>();
  for (const file of of.files) {
    for (const { line, reason } of file.skips) all.set(reason, [...all.get(reason) ?? [], `${file.file}, line ${count(line)}`]);
  }
  const counted = of.reasons ?? [...all].map(([reason, places]) => ({ reason, rows: places.length }));
  const listed = counted.map(({ reason, rows }) => ({ reason, rows, places: all.get(reason) ?? [] }));
  return listed.sort((one, other) => other.rows - one.rows);
}

function Skipped({ of }: { of: ImportReport }) {
  const all = reasons(of);
  const shown = all.reduce((sum, { places }) => sum + places.length, 0);
  const left = of.totals.skipped - shown;
  if (of.totals.skipped === 0) return <section class="panel"><h2>Skipped rows</h2><p>None.</p></section>;
  return (
    <section class="panel">
      <h2>Skipped rows, and why</h2>
      {all.map(({ reason, rows, places }) => (
        <details key={reason} open={shown <= 12}>
          <summary>{counted(rows, 'row')}: {reason}</summary>
          <ul class="rows small">{places.map((place, at) => <li key={at}><bdi>{place}</bdi></li>)}</ul>
          {rows > places.length && <p class="soft small">{counted(rows - places.length, 'row')} of these without a place here.</p>}
        </details>
      ))}
      {left > 0 && <Notice>The places of {counted(left, 'further skipped row')} are in report.json, in the folder that the program named.</Notice>}
    </section>
  );
}
