/** Forgetting a person by an admin's press. */

import { useContext, useRef, useState } from 'preact/hooks';
import { Failure, press } from './api.ts';
import { Doubles, othersOf } from './doubles.tsx';
import { Failed, Name } from './ui.tsx';
import { counted, occupation } from './words.ts';

interface Other { id: string; name: string; position?: string; company?: string }

export function Forget({ person, onForgotten }: { person: { id: string; name: string }; onForgotten: (people: number) => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { of } = useContext(Doubles);
  const [also, setAlso] = useState<string[]>([]);
  const [alike, setAlike] = useState<Other[]>([]);
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const doubles = othersOf(of, person.id).map(({ other }) => other);
  const forget = () => {
    setBusy(true);
    setFailure(undefined);
    press<{ forgotten: number; others: Other[] }>('forget', { people: [person.id, ...also] }).then(
      ({ forgotten, others }) => {
        setBusy(false);
        setAlike(others);
        if (forgotten) {
          dialog.current?.close();
          onForgotten(forgotten);
        }
      },
      (cause) => {
        setBusy(false);
        setFailure(cause instanceof Failure ? cause : new Failure(0, String(cause)));
      },
    );
  };
  const choice = (other: Other) => (
    <li key={other.id}>
      <label>
        <input type="checkbox" checked={also.includes(other.id)}
          onChange={() => setAlso((before) => before.includes(other.id) ? before.filter((id) => id !== other.id) : [...before, other.id])} />
        {' '}<Name of={other.name} /> <span class="soft"><bdi>{occupation(other.position, other.company)}</bdi></span>
      </label>
    </li>
  );
  return (
    <>
      <p><button type="button" class="plain" onClick={() => { setAlso([]); setAlike([]); setFailure(undefined); dialog.current?.showModal(); }}>Forget this person…</button></p>
      <dialog ref={dialog} aria-labelledby="forget-title">
        <h2 id="forget-title">Forget <Name of={person.name} />?</h2>
        <p>From now on nobody is shown them, and later imports leave them out, whatever file names them. What was saved or sent before stays where it is. The page cannot undo this.</p>
        {doubles.length > 0 && <><p>These may be the same person. Forget them too?</p><ul class="rows">{doubles.map(choice)}</ul></>}
        {alike.length > 0 && (
          <>
            <p class="problem">Nobody was forgotten yet: an import cannot distinguish {counted(alike.length, 'other person', 'others')}. Choose them too, or leave it.</p>
            <ul class="rows">{alike.map(choice)}</ul>
          </>
        )}
        {failure && <Failed failure={failure} />}
        <p class="buttons">
          <button type="button" class="main" disabled={isBusy} onClick={forget}>Forget {counted(1 + also.length, 'person', 'people')}</button>
          <button type="button" onClick={() => dialog.current?.close()}>Cancel</button>
        </p>
      </dialog>
    </>
  );
}
