/** One press that says that an introduction was asked for, and one that takes it back. */

import { useState } from 'preact/hooks';
import { press } from './api.ts';
import type { Ask, Marks, WarmPath } from './types.ts';
import { Copy } from './ui.tsx';
import { date } from './words.ts';

/** The people of the ask that this path is, for the member who sends the message. */
function words(path: WarmPath, target: string, isOwn: boolean) {
  const connector = isOwn && path.connectionType === 'direct' ? undefined : path.connector.id;
  return { target, connector, via_advocate: path.viaAdvocate?.id };
}

export function IAsked({ path, target, isOwn, passedOn }: { path: WarmPath; target: string; isOwn: boolean; passedOn?: string }) {
  const [ask, setAsk] = useState<string>();
  const [said, setSaid] = useState('');
  const [url, setUrl] = useState('');
  /** Of this press: the same one twice writes once, and one after an undo is another. */
  const [key, setKey] = useState(() => crypto.randomUUID());
  const fail = (failure: Error) => setSaid(failure.message);
  const note = () => press<{ ask: Ask }>('asks', { ...words(path, target, isOwn), key: `${key}-asked` })
    .then((written) => { setAsk(written.ask.id); setSaid('Noted: your colleagues see that you asked.'); }, fail);
  const undo = () => press(`asks/${ask}`, { outcome: 'withdrawn', key: `${key}-undone` })
    .then(() => { setAsk(undefined); setKey(crypto.randomUUID()); setSaid('Taken back.'); }, fail);
  const makeLink = () => press<{ url: string }>(`asks/${ask}/link`, { text: passedOn })
    .then((made) => { setUrl(made.url); setSaid('They answer over this link, without an account.'); }, fail);
  return (
    <>
      {ask && passedOn !== undefined && !url && <button type="button" class="plain" onClick={makeLink}>Make a link for their answer</button>}
      {url && <span class="line"><code>{url}</code> <Copy text={url} label="Copy the link" /></span>}
      {ask ? <button type="button" class="plain" onClick={undo}>Undo</button> : <button type="button" onClick={note}>I asked</button>}
      <span role="status" class="soft">{said}</span>
    </>
  );
}

/** How often the one who introduces is asked, and what they do not want. */
export function marksOf(path: WarmPath): string | undefined {
  const { asks, preference } = path as WarmPath & Marks;
  if (preference) {
    const until = preference.until ? ` until ${date(preference.until)}` : '';
    return preference.through ? `only through ${preference.through.name}${until}` : `does not want to be asked${until}`;
  }
  if (asks?.coolUntil) return `asked often: leave them alone until ${date(asks.coolUntil)}`;
  return asks?.open ? `asked, ${asks.open} open` : undefined;
}
