import { render } from 'preact';
import { startWorker, textOf } from '../client.ts';
import { Failure } from '../parts.tsx';
import { draftsInLink, type PlayData, readSession, type Session } from './drafts.ts';
import { Playground } from './playground.tsx';

const root = document.getElementById('page');
if (root !== null) {
  root.replaceChildren();
  start()
    .then(({ data, session, call }) => render(<Playground data={data} session={session} call={call} />, root))
    .catch((error: unknown) => render(<Failure error={error} />, root));
}

async function start() {
  const data: PlayData = JSON.parse(textOf('fleet'));
  const [call, linked] = await Promise.all([startWorker(), draftsInLink(location.hash)]);
  // The link is not that of a view, and the drafts are edited from now on.
  if (linked !== null) history.replaceState(null, '', location.pathname + location.search);
  return {
    data,
    call,
    session: linked === null ? (readSession() ?? firstOf(data)) : begun({ drafts: linked, lock: null }),
  };
}

const firstOf = ({ examples: [first] }: PlayData): Session =>
  begun(first ?? { drafts: { topology: '', keys: '', identities: '' }, lock: null });

const begun = ({ drafts, lock }: Omit<Session, 'kept'>): Session => ({ drafts, lock, kept: { drafts, lock } });
