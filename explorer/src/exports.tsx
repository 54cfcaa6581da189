/** How to get the exports that an import reads, in words for people who have not done it before. */

import { ChooseFiles } from './further.tsx';

const EXPORTS = [
  ['LinkedIn', 'Settings & Privacy, Data privacy, Get a copy of your data: “Connections” comes by mail after about 10 minutes, the larger archive within a day or so.'],
  ['Google Contacts', 'contacts.google.com, Export, as Google CSV or vCard: at once.'],
  ['Gmail, Google Calendar', 'takeout.google.com, Deselect all, then Mail and Calendar: a link by mail, within hours or days.'],
  ['iPhone, iPad, Mac', 'icloud.com/contacts, select all, Export vCard: at once.'],
  ['Outlook', 'People, Manage contacts, Export contacts: at once. A calendar by Save calendar, as .ics.'],
  ['HubSpot', 'Contacts, Export, as CSV: a link by mail after minutes.'],
  ['Salesforce', 'A report of contacts, Export, Details only, as CSV: at once.'],
  ['Affinity', 'A list or People, Export CSV: at once.'],
] as const;

export function GettingExports({ isOpen }: { isOpen: boolean }) {
  return (
    <section class="panel">
      <h2>More to import</h2>
      <ChooseFiles />
      <p class="soft">Of messages only who, whom and when is read.</p>
      <details open={isOpen}>
        <summary>How to get each export</summary>
        <ul class="rows">{EXPORTS.map(([from, how]) => <li key={from}><b>{from}</b> <span class="soft">{how}</span></li>)}</ul>
      </details>
    </section>
  );
}
