/** Further exports, at `kith open`: a file that is dragged onto the page, or chosen, is imported, and the network made again. */

import { createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { addExport, Failure } from './api.ts';
import { link } from './route.ts';
import { Notice } from './ui.tsx';
import { counted } from './words.ts';

interface FurtherHeld {
  /** Imports files, one after the other; `undefined` if the server takes none. */
  add?: (files: readonly File[]) => void;
  isBusy: boolean;
}

export const Further = createContext<FurtherHeld>({ isBusy: false });

/** What became of the files that were added last. */
export interface Added { doing?: string; kept: number; refused: string[] }

const ofFiles = (event: DragEvent) => !!event.dataTransfer?.types.includes('Files')
  && !(event.target instanceof HTMLInputElement && event.target.type === 'file');

/** Takes what is dragged onto the page while `isOn`; `onKept` is called once files were imported. */
export function useFurther(isOn: boolean, onKept: () => Promise<unknown>): FurtherHeld & { added?: Added } {
  const [added, setAdded] = useState<Added>();
  const busy = useRef(false);
  const add = async (files: readonly File[]) => {
    if (busy.current || files.length === 0) return;
    busy.current = true;
    let kept = 0;
    const refused: string[] = [];
    for (const file of files) {
      setAdded({ doing: `Importing ${file.name}, and making the network again…`, kept, refused });
      try {
        await addExport(file);
        kept += 1;
      } catch (failure) {
        refused.push(failure instanceof Failure ? failure.message : `${file.name} cannot be read.`);
      }
    }
    if (kept > 0) await onKept();
    setAdded({ kept, refused });
    busy.current = false;
  };
  const latest = useRef(add);
  latest.current = add;
  useEffect(() => {
    if (!isOn) return undefined;
    const onOver = (event: DragEvent) => { if (ofFiles(event)) event.preventDefault(); };
    const onDrop = (event: DragEvent) => {
      if (!ofFiles(event)) return;
      event.preventDefault();
      latest.current([...event.dataTransfer!.files]);
    };
    addEventListener('dragover', onOver);
    addEventListener('drop', onDrop);
    return () => { removeEventListener('dragover', onOver); removeEventListener('drop', onDrop); };
  }, [isOn]);
  return { add: isOn ? add : undefined, isBusy: !!added?.doing, added };
}

/** What is being imported, and what became of it. */
export function AddedFiles({ added }: { added?: Added }) {
  return (
    <div role="status">
      {added?.doing && <p class="loading"><span>{added.doing}</span></p>}
      {added && !added.doing && added.kept > 0 && (
        <Notice kind="plain">{counted(added.kept, 'file')} imported: every answer has {added.kept === 1 ? 'it' : 'them'} from now on. <a href={link('report')}>What was read</a></Notice>
      )}
      {added?.refused.map((said) => <Notice key={said}>{said}</Notice>)}
    </div>
  );
}

/** A way to choose files, for who does not drag. */
export function ChooseFiles() {
  const { add, isBusy } = useContext(Further);
  if (!add) return <p>End the program with Ctrl-C and start it again with the same folder and the new files in it: nothing has to be unpacked or renamed.</p>;
  return (
    <>
      <p>Drag exports onto this page, as they are, or choose them: they are yours from then on, in the folder <code>added</code> of this network.</p>
      <p><label>Choose exports <input type="file" multiple disabled={isBusy} onChange={(event) => {
        const input = event.currentTarget;
        add([...input.files ?? []]);
        input.value = '';
      }} /></label></p>
    </>
  );
}
