/** The links by which colleagues bring their own exports: an admin makes them, and sees numbers alone of what was brought. */

import { useState } from 'preact/hooks';
import type { Failure } from '../api.ts';
import { getColleagues, press, takeBack } from '../api.ts';
import { useLoad } from '../load.ts';
import type { Colleague } from '../types.ts';
import { Copy, Failed, Name, When } from '../ui.tsx';
import { counted, date } from '../words.ts';

interface Made { url: string; expiresAt: string }

export function Colleagues() {
  const [loaded, again] = useLoad('', getColleagues);
  const [made, setMade] = useState<Made & { name: string }>();
  const [failure, setFailure] = useState<Failure>();
  const make = (name: string, body: object) => {
    setFailure(undefined);
    press<Made>('exports', body).then((link) => { setMade({ ...link, name }); again(); }, setFailure);
  };
  const revoke = (part: string) => {
    setFailure(undefined);
    setMade(undefined);
    takeBack(`exports/${part}`).then(again, setFailure);
  };
  return (
    <section aria-labelledby="colleagues">
      <h2 id="colleagues">Colleagues’ exports</h2>
      <p class="soft">
        A link lets a colleague bring their own exports, see what was read, and take it back. You see how much they brought, never what; the
        next import takes it up.
      </p>
      {made && (
        <div class="notice plain" role="status">
          <label class="field" for="link-made">The link of {made.name}, until {date(made.expiresAt)}. It is shown this once; send it as you would send a password.</label>
          <input id="link-made" readOnly value={made.url} onFocus={(event) => event.currentTarget.select()} />
          <div class="buttons"><Copy text={made.url} label="Copy the link" /><button type="button" onClick={() => setMade(undefined)}>Done</button></div>
        </div>
      )}
      {failure && <Failed failure={failure} />}
      <When of={loaded} again={again} what="Fetching your colleagues…">
        {({ data }) => (
          <ul class="rows">
            {data.colleagues.map((one) => <Row key={one.who ?? one.part} of={one} onMake={make} onRevoke={revoke} />)}
          </ul>
        )}
      </When>
      <Invite onMake={make} />
    </section>
  );
}

function Row({ of, onMake, onRevoke }: { of: Colleague; onMake: (name: string, body: object) => void; onRevoke: (part: string) => void }) {
  const { name, part, who, files = 0, lastAt, linkEndsAt } = of;
  const id = who ?? part;
  const brought = files > 0 ? `${counted(files, 'file')}, the last on ${date(lastAt!)}` : 'nothing brought yet';
  return (
    <li class="line">
      <span>
        <Name of={name} /> <span class="soft">{of.as}{part ? `, ${brought}` : ''}{linkEndsAt ? `, link until ${date(linkEndsAt)}` : ''}</span>
      </span>
      <span class="last">
        {id && <button type="button" class="text" aria-label={`${linkEndsAt ? 'Make a new link' : 'Make a link'} for ${name}`} onClick={() => onMake(name, { who: id })}>{linkEndsAt ? 'New link' : 'Make a link'}</button>}
        {part && linkEndsAt && <button type="button" class="text" aria-label={`End the link of ${name}`} onClick={() => onRevoke(part)}>End</button>}
      </span>
    </li>
  );
}

/** Who is not in the network yet. */
function Invite({ onMake }: { onMake: (name: string, body: object) => void }) {
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [role, setRole] = useState('member');
  const submit = (event: Event) => {
    event.preventDefault();
    onMake(name, { name, email, as: role });
    setName('');
    setEmail('');
  };
  return (
    <details>
      <summary>A colleague who is not listed</summary>
      <form class="inline" onSubmit={submit}>
        <label class="field">Name<input required value={name} onInput={(event) => setName(event.currentTarget.value)} /></label>
        <label class="field">E-mail address<input type="email" required value={email} onInput={(event) => setEmail(event.currentTarget.value)} /></label>
        <label class="field">Is
          <select value={role} onChange={(event) => setRole(event.currentTarget.value)}>
            <option value="member">a member</option><option value="admin">an admin</option><option value="advocate">an advocate of mine</option>
          </select>
        </label>
        <button type="submit" class="main">Make a link</button>
      </form>
    </details>
  );
}
