/** A message that asks for an introduction: made from the path, edited by who sends it, sent by nobody else. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { IAsked } from './asked.tsx';
import { greeting, isLongAgo } from './greeting.ts';
import { Copy } from './ui.tsx';
import type { Session, WarmPath } from './types.ts';
import { occupation, unfolded } from './words.ts';
import type { Step, Target } from './words.ts';

/** Who is written to, and what. */
export function draft(path: WarmPath, target: Target, session: Session): { to: Step; text: string } {
  const { steps, legs } = unfolded(path, target);
  const isOwn = session.member?.userId === path.fromUserId;
  const asked = isOwn ? steps[1]! : steps[0]!;
  const rest = steps.slice(steps.indexOf(asked) + 1, -1);
  const does = occupation(target.position, target.company);
  const who = does ? `${target.name} (${does})` : target.name;
  const from = session.member ? `\n${greeting(session.member.name)}` : '';
  if (isOwn && path.connectionType === 'direct') {
    const since = isLongAgo(legs[0]!.evidence, Date.now()) ? 'It has been a while. ' : '';
    return { to: asked, text: `Hi ${greeting(target.name)},\n\n${since}I would like to talk to you about …\n\nDo you have twenty minutes next week?\n${from}` };
  }
  const way = rest.length
    ? `As far as I can see, you know ${rest.map((step) => step.name).join(', who knows ')}, who knows ${greeting(target.name)}.`
    : `As far as I can see, you know each other.`;
  const text = `Hi ${greeting(asked.name)},\n\nCould you help me reach ${who}? ${way}\n\n`
    + 'I would like to talk about …\n\nAn introduction in two lines would be plenty, and if it does not feel right, just say so.\n\n'
    + `Thank you!${from}`;
  return { to: asked, text };
}

/** What the one who is asked may send on, so that the other can say no: of the one who asks, not of how they are known. */
export function forwarding(target: Target, session: Session): string {
  const who = session.member?.name ?? 'A colleague';
  return `Hi ${greeting(target.name)},\n\n${who} of ${session.organization.name} would like to talk to you about …\n\nMay I introduce you? If not, that is fine too.\n`;
}

/** A mail in the program that the browser knows: without an address, since kith shows none. */
const mailed = (subject: string, text: string) => `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(text.replace(/\n/g, '\r\n'))}`;

export function Draft({ path, target, session, close, onTaken }: {
  path: WarmPath; target: Target; session: Session; close: () => void;
  /** Called when the message is copied, mailed or shared. */
  onTaken?: () => void;
}) {
  const made = draft(path, target, session);
  const [text, setText] = useState(made.text);
  const isOwn = session.member?.userId === path.fromUserId;
  const isDirect = isOwn && path.connectionType === 'direct';
  const [passedOn, setPassedOn] = useState(() => forwarding(target, session));
  const subject = isDirect ? `From ${session.organization.name}` : `An introduction to ${target.name}`;
  const share = 'share' in navigator ? () => { void navigator.share({ title: subject, text }).then(onTaken).catch(() => {}); } : undefined;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    // The text is read from its beginning, also on a phone; what is typed comes in the place of the dots.
    const box = dialog.current?.querySelector('textarea');
    const dots = text.indexOf('…');
    box?.setSelectionRange(Math.max(dots, 0), dots + 1);
    box?.scrollTo(0, 0);
    dialog.current?.scrollTo(0, 0);
  }, []);
  return (
    <dialog ref={dialog} class="draft" aria-labelledby="draft-title" onClose={close}>
      <h2 id="draft-title">Ask <bdi>{made.to.name}</bdi></h2>
      <p class="soft">Change it as you like, copy it, and send it the way you always write to them. Nothing is sent from here.{onTaken && ' Once you take it, the line of your list says “asked”.'}</p>
      <label class="unseen" for="draft-text">The message</label>
      <textarea id="draft-text" dir="auto" rows={12} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      {!isDirect && (
        <details>
          <summary>A text for them to forward</summary>
          <label class="unseen" for="draft-forward">The text to forward</label>
          <textarea id="draft-forward" dir="auto" rows={7} value={passedOn} onInput={(event) => setPassedOn(event.currentTarget.value)} />
          <div class="buttons"><Copy text={passedOn} label="Copy the text to forward" /></div>
        </details>
      )}
      <div class="buttons">
        <Copy text={text} label="Copy the message" onCopied={onTaken} />
        <a class="button plain" href={mailed(subject, text)} onClick={onTaken}>Mail it</a>
        {share && <button type="button" class="plain" onClick={share}>Share it</button>}
        {session.asks === 'write' && <IAsked path={path} target={target.id} isOwn={isOwn} passedOn={isDirect ? undefined : passedOn} />}
        <button type="button" class="plain" onClick={() => dialog.current?.close()}>Close</button>
      </div>
    </dialog>
  );
}
