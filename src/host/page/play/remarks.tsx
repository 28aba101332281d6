import { useEffect, useState } from 'preact/hooks';
import type { CallWorker } from '../client.ts';
import { Markdown } from '../markdown.tsx';
import type { CompileAnswer } from './play-worker.ts';

type RemarkRow = CompileAnswer['diagnostics'][number];

interface RemarksProps {
  readonly of: readonly RemarkRow[];
  /** The code whose page is open. */
  readonly explained: string | null;
  readonly onExplain: (code: string | null) => void;
  readonly onReveal: (row: RemarkRow) => void;
  readonly call: CallWorker;
}

/** Remarks of the compiler about the drafts. Each leads to its place, and to the page of its code. */
export function Remarks({ of, explained, onExplain, onReveal, call }: RemarksProps) {
  const rows = of.filter((it) => it.accepted.length === 0);
  const open = rows.find((it) => it.code === explained);
  return (
    <ul class="remarks">
      {rows.map((it) => (
        <li key={`${it.code} ${it.file} ${it.line} ${it.column} ${it.message}`}>
          <p>
            <span class={`severity ${it.severity}`}>{it.severity}</span> {it.message}
          </p>
          {it.hint !== null && <p class="quiet">{it.hint}</p>}
          <p class="links">
            <button type="button" class="quietly" onClick={() => onReveal(it)}>
              {it.file}:{it.line}
            </button>
            <button
              type="button"
              class="quietly"
              aria-expanded={it === open}
              onClick={() => onExplain(it === open ? null : it.code)}
            >
              What {it.code} means
            </button>
          </p>
          {it === open && <Page code={it.code} call={call} />}
        </li>
      ))}
    </ul>
  );
}

function Page({ code, call }: { readonly code: string; readonly call: CallWorker }) {
  const [page, show] = useState<string | null>(null);
  useEffect(() => {
    let isCurrent = true;
    call({ kind: 'explain', code }).then(
      (it) => isCurrent && typeof it === 'string' && show(it),
      () => isCurrent && show('The page cannot be shown.'),
    );
    return () => {
      isCurrent = false;
    };
  }, [code]);
  return page === null ? null : <Markdown text={page.replace(/^# .*\n+/, '')} />;
}
