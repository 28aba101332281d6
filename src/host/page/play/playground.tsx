import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { countOf } from '../../../base/core/words.ts';
import type { Ask, FleetSummary } from '../answers.ts';
import { App } from '../app.tsx';
import { type CallWorker, rememberAnswers } from '../client.ts';
import { Failure } from '../parts.tsx';
import {
  DRAFT_FILES,
  type Drafts,
  LOCK_FILE,
  type LockedDrafts,
  linkOf,
  openedFiles,
  type PlayData,
  type Session,
  saveFile,
  writeSession,
} from './drafts.ts';
import { EditorPane, type Tab } from './editor-pane.tsx';
import type { CompileAnswer, ToPlayWorker } from './play-worker.ts';
import { Remarks } from './remarks.tsx';

interface PlaygroundProps {
  readonly data: PlayData;
  readonly session: Session;
  readonly call: CallWorker;
}

/** The last fleet without errors, which stays on view while there are some. */
interface Shown {
  readonly fleet: FleetSummary;
  readonly ask: Ask;
  readonly lock: string;
  readonly drafts: Drafts;
}

/** Milliseconds without a key stroke after which the drafts are compiled. */
const PAUSE = 120;

/** An editor, and the page of the fleet that it describes. */
export function Playground({ data, session: first, call }: PlaygroundProps) {
  const [session, change] = useState(first);
  const [shown, show] = useState<Shown | null>(null);
  const [answer, know] = useState<CompileAnswer | null>(null);
  const [revision, replace] = useState(0);
  const [error, fail] = useState<unknown>(null);
  const [tab, choose] = useState<Tab>('topology');
  const [explained, explain] = useState<string | null>(null);
  const [place, reveal] = useState<{ readonly line: number; readonly column: number } | null>(null);
  const compile = useCompiler(call, data.weft);
  useEffect(() => {
    const timer = setTimeout(
      () => {
        writeSession(session);
        compile(session)
          .then((it) => {
            if (it === null) return;
            if (it.isAnotherFleet && session.drafts.keys === session.kept.drafts.keys) {
              restart({ drafts: { ...NO_DRAFTS, topology: session.drafts.topology }, lock: null });
              return;
            }
            know(it);
            if (it.fleet === null || it.lock === null) return;
            const ask = rememberAnswers(({ ...message }) => call({ kind: 'ask', ...message }));
            show({ fleet: it.fleet, ask, lock: it.lock, drafts: session.drafts });
          })
          .catch(fail);
      },
      answer === null ? 0 : PAUSE,
    );
    return () => clearTimeout(timer);
  }, [session]);
  const edit = useCallback(
    (file: keyof Drafts, text: string) => change((it) => ({ ...it, drafts: { ...it.drafts, [file]: text } })),
    [],
  );
  const restart = ({ drafts, lock }: LockedDrafts): void => {
    change({ drafts, lock, kept: { drafts, lock } });
    replace((it) => it + 1);
    explain(null);
    choose('topology');
  };
  const open = async (files: FileList): Promise<void> => {
    const { lock, ...drafts } = await openedFiles(files);
    if (drafts.topology !== undefined) restart({ drafts: { ...NO_DRAFTS, ...drafts }, lock: lock ?? null });
    else change((it) => ({ ...it, drafts: { ...it.drafts, ...drafts }, lock: lock ?? it.lock }));
    replace((it) => it + 1);
  };
  const hasErrors = answer?.diagnostics.some((it) => it.severity === 'error') ?? false;
  const isCurrent = shown !== null && !hasErrors;
  return (
    <div class="play">
      <section class="bench" aria-label="Editor">
        <Tools
          data={data}
          onStart={restart}
          onOpen={open}
          onSave={() => saveFile(DRAFT_FILES.topology, session.drafts.topology)}
          onZip={
            isCurrent
              ? async () =>
                  saveFile(`${shown.fleet.name}.zip`, (await call({ kind: 'zip' })) as Uint8Array<ArrayBuffer>)
              : null
          }
          drafts={session.drafts}
        />
        <EditorPane
          tab={tab}
          onTab={choose}
          drafts={session.drafts}
          revision={revision}
          lock={shown?.lock ?? ''}
          remarks={answer?.diagnostics ?? []}
          place={place}
          clusters={shown?.fleet.clusters.map((it) => it.cluster) ?? []}
          onEdit={edit}
          onExplain={explain}
        />
        <p class="state" role="status">
          {stateWords(answer, shown)}
        </p>
        {shown !== null && (
          <Keeping
            session={session}
            shown={shown}
            isCurrent={isCurrent}
            onKeep={() =>
              change((it) => ({ ...it, lock: shown.lock, kept: { drafts: shown.drafts, lock: shown.lock } }))
            }
            onBack={() => {
              change((it) => ({ ...it, ...it.kept }));
              replace((it) => it + 1);
            }}
            onUnlock={() => change((it) => ({ ...it, lock: null }))}
          />
        )}
        <Remarks
          of={answer?.diagnostics ?? []}
          explained={explained}
          onExplain={explain}
          onReveal={(it) => {
            choose(TABS_BY_FILE.get(it.file) ?? 'topology');
            reveal({ line: it.line, column: it.column });
          }}
          call={call}
        />
        {error !== null && <Failure error={error} />}
      </section>
      <div class={isCurrent ? 'result' : 'result old'}>
        {shown !== null && <App ask={shown.ask} fleet={shown.fleet} page="weft playground" home="map" />}
        {shown === null && answer !== null && (
          <main>
            <h1>No fleet yet</h1>
            <p>Correct the errors beside, or start from an example.</p>
          </main>
        )}
      </div>
    </div>
  );
}

const NO_DRAFTS: Drafts = { topology: '', keys: '', identities: '' };

const TABS_BY_FILE: ReadonlyMap<string, Tab> = new Map([
  [DRAFT_FILES.topology, 'topology'],
  [DRAFT_FILES.keys, 'keys'],
  [DRAFT_FILES.identities, 'identities'],
  [LOCK_FILE, 'lock'],
]);

/** One text is compiled at a time; of those that come meanwhile only the newest, and older ones get no answer. */
function useCompiler(call: CallWorker, weft: string): (session: Session) => Promise<CompileAnswer | null> {
  const state = useRef({ newest: 0, running: Promise.resolve() as Promise<unknown> });
  return useCallback(
    async (session) => {
      const own = ++state.current.newest;
      await state.current.running.catch(() => undefined);
      if (own !== state.current.newest) return null;
      const message: ToPlayWorker = { kind: 'compile', request: { ...session, weft } };
      const running = call(message);
      state.current.running = running;
      const answer = (await running) as CompileAnswer;
      return own === state.current.newest ? answer : null;
    },
    [call, weft],
  );
}

function stateWords(answer: CompileAnswer | null, shown: Shown | null): string {
  if (answer === null) return 'Compiling …';
  const open = answer.diagnostics.filter((it) => it.accepted.length === 0);
  const count = (severity: string): number => open.filter((it) => it.severity === severity).length;
  const errors = count('error');
  if (errors > 0)
    return `${countOf(errors, 'error')}${shown === null ? '' : '; the page shows the last fleet without errors'}`;
  const [warnings, notes] = [count('warning'), count('note')];
  const remarks = [
    ...(warnings > 0 ? [countOf(warnings, 'warning')] : []),
    ...(notes > 0 ? [countOf(notes, 'note')] : []),
  ];
  return [`Compiled in ${Math.max(1, Math.round(answer.milliseconds))} ms`, ...remarks].join(', ');
}

interface KeepingProps {
  readonly session: Session;
  readonly shown: Shown;
  readonly isCurrent: boolean;
  readonly onKeep: () => void;
  readonly onBack: () => void;
  readonly onUnlock: () => void;
}

/** Keeps what a commit would: the files to compare with, and the lock of the next compiles. */
const Keeping = ({ session, shown, isCurrent, onKeep, onBack, onUnlock }: KeepingProps) => {
  const isKept = useMemo(
    () => JSON.stringify(session.kept) === JSON.stringify({ drafts: session.drafts, lock: shown.lock }),
    [session, shown],
  );
  return (
    <div class="keeping">
      <button type="button" disabled={!isCurrent || isKept} onClick={onKeep}>
        Keep
      </button>
      <button type="button" disabled={isKept} onClick={onBack}>
        Go back
      </button>
      <button type="button" disabled={session.lock === null} onClick={onUnlock}>
        Start without the lock
      </button>
      <p class="quiet">
        {session.lock === null
          ? 'Every address is decided again. '
          : 'Addresses stay as the kept lock decided them, as with a committed one. '}
        Files and changes are compared with the kept state.
      </p>
    </div>
  );
};

interface ToolsProps {
  readonly data: PlayData;
  readonly drafts: Drafts;
  readonly onStart: (start: LockedDrafts) => void;
  readonly onOpen: (files: FileList) => void;
  readonly onSave: () => void;
  /** `null` while there are errors. */
  readonly onZip: (() => void) | null;
}

function Tools({ data: { examples }, drafts, onStart, onOpen, onSave, onZip }: ToolsProps) {
  const [link, setLink] = useState<string | null>(null);
  useEffect(() => setLink(null), [drafts]);
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <p class="brand">
        <strong>weft playground</strong> <span class="quiet">Nothing that you write leaves this page.</span>
      </p>
      <div class="bar">
        <select
          aria-label="Start from an example"
          value=""
          onChange={({ currentTarget: it }) => {
            const example = examples.find(({ name }) => name === it.value);
            if (example !== undefined) onStart(example);
            it.value = '';
          }}
        >
          <option value="">Start from …</option>
          {examples.map(({ name, title }) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
        <input
          ref={input}
          hidden
          type="file"
          multiple
          accept=".yaml,.yml"
          aria-label="Files to open"
          onChange={({ currentTarget: it }) => {
            if (it.files !== null && it.files.length > 0) onOpen(it.files);
            it.value = '';
          }}
        />
        <button type="button" onClick={() => input.current?.click()}>
          Open
        </button>
        <button type="button" onClick={onSave}>
          Save
        </button>
        <button type="button" onClick={async () => setLink((await linkOf(drafts)) ?? '')}>
          Link
        </button>
        <button
          type="button"
          class="main"
          title="The topology, its lock and the bundles"
          disabled={onZip === null}
          onClick={() => onZip?.()}
        >
          Zip
        </button>
      </div>
      {link !== null &&
        (link === '' ? (
          <p class="quiet">The files are too long for a link: save them instead.</p>
        ) : (
          <div class="field">
            <input
              class="link"
              readOnly
              aria-label="Link with these files in it"
              value={location.href.replace(/#.*$/, '') + link}
              ref={(it) => it?.select()}
            />
          </div>
        ))}
    </>
  );
}
