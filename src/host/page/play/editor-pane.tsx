import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { DRAFT_FILES, type Drafts, LOCK_FILE } from './drafts.ts';
import { type Editor, openEditor } from './editor.ts';
import type { CompileAnswer } from './play-worker.ts';

export type Tab = keyof Drafts | 'lock';

const TABS: readonly { readonly tab: Tab; readonly title: string; readonly file: string }[] = [
  { tab: 'topology', title: 'Topology', file: DRAFT_FILES.topology },
  { tab: 'keys', title: 'Keys', file: DRAFT_FILES.keys },
  { tab: 'identities', title: 'Identities', file: DRAFT_FILES.identities },
  { tab: 'lock', title: 'Lock', file: LOCK_FILE },
];

interface EditorPaneProps {
  readonly tab: Tab;
  readonly onTab: (tab: Tab) => void;
  readonly drafts: Drafts;
  /** Changes when the drafts are replaced by others than those of the editor. */
  readonly revision: number;
  /** The next lock. weft writes it, so it is not edited. */
  readonly lock: string;
  readonly remarks: CompileAnswer['diagnostics'];
  /** The place to show, in the open tab. */
  readonly place: { readonly line: number; readonly column: number } | null;
  readonly clusters: readonly string[];
  readonly onEdit: (file: keyof Drafts, text: string) => void;
  readonly onExplain: (code: string) => void;
}

/** The files of the fleet, one of them in an editor. */
export function EditorPane({ tab, onTab, place, ...others }: EditorPaneProps) {
  const { drafts, lock, remarks, revision } = others;
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor | null>(null);
  const latest = useRef(others);
  latest.current = others;
  const text = tab === 'lock' ? lock : drafts[tab];
  const file = TABS.find((it) => it.tab === tab)?.file ?? '';
  useLayoutEffect(() => {
    if (host.current === null) return;
    const opened = openEditor({
      host: host.current,
      label: file,
      text,
      isReadOnly: tab === 'lock',
      isTopology: tab === 'topology',
      onChange: (it) => tab !== 'lock' && latest.current.onEdit(tab, it),
      onExplain: (it) => latest.current.onExplain(it),
      clusters: () => latest.current.clusters,
    });
    editor.current = opened;
    return () => opened.close();
  }, [tab]);
  // The editor is ahead of the drafts during typing. An effect that ran later would replace what was typed before it.
  useLayoutEffect(() => editor.current?.setText(text), [revision, tab === 'lock' ? lock : tab]);
  useEffect(
    () => editor.current?.setRemarks(remarks.filter((it) => it.file === file && it.accepted.length === 0)),
    [remarks, file],
  );
  useEffect(() => {
    if (place !== null) editor.current?.reveal(place.line, place.column);
  }, [place]);
  const step = (by: number): void => {
    const at = TABS.findIndex((it) => it.tab === tab);
    onTab(TABS[(at + by + TABS.length) % TABS.length]?.tab ?? 'topology');
  };
  return (
    <>
      <div
        class="tabs"
        role="tablist"
        aria-label="Files"
        onKeyDown={({ key, currentTarget }) => {
          if (key !== 'ArrowLeft' && key !== 'ArrowRight') return;
          step(key === 'ArrowLeft' ? -1 : 1);
          requestAnimationFrame(() => currentTarget.querySelector<HTMLElement>('[aria-selected=true]')?.focus());
        }}
      >
        {TABS.map((it) => (
          <button
            key={it.tab}
            type="button"
            role="tab"
            id={`tab-${it.tab}`}
            aria-selected={it.tab === tab}
            aria-controls="editor"
            tabIndex={it.tab === tab ? 0 : -1}
            onClick={() => onTab(it.tab)}
          >
            {it.title}
          </button>
        ))}
      </div>
      <div id="editor" role="tabpanel" aria-labelledby={`tab-${tab}`} class="sheet-of-text" ref={host} />
    </>
  );
}
