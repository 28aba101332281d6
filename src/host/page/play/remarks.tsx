import { useEffect, useState } from 'preact/hooks';
import { countOf } from '../../../base/core/words.ts';
import type { CallWorker } from '../client.ts';
import { Coded, Markdown } from '../markdown.tsx';
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
export function Remarks({ of, explained, ...others }: RemarksProps) {
  const rows = of.filter((it) => it.accepted.length === 0);
  const [notes, urgent] = [rows.filter(isNote), rows.filter((it) => !isNote(it))];
  const open = rows.find((it) => it.code === explained);
  const list = (some: readonly RemarkRow[]) => (
    <ul class="remarks">
      {some.map((it) => (
        <Remark
          key={`${it.code} ${it.file} ${it.line} ${it.column} ${it.message}`}
          row={it}
          isOpen={it === open}
          {...others}
        />
      ))}
    </ul>
  );
  return (
    <>
      {urgent.length > 0 && list(urgent)}
      {notes.length > 0 && (
        <details class="notes" open={open !== undefined && isNote(open)}>
          <summary>{countOf(notes.length, 'note')}</summary>
          {list(notes)}
        </details>
      )}
    </>
  );
}

const isNote = ({ severity }: RemarkRow): boolean => severity === 'note';

interface RemarkProps extends Pick<RemarksProps, 'onExplain' | 'onReveal' | 'call'> {
  readonly row: RemarkRow;
  /** The page of the code is shown. */
  readonly isOpen: boolean;
}

const Remark = ({ row, isOpen, onExplain, onReveal, call }: RemarkProps) => (
  <li>
    <p>
      <span class={`severity ${row.severity}`}>{row.severity}</span> <Coded text={row.message} />
    </p>
    {row.hint !== null && (
      <p class="quiet">
        <Coded text={row.hint} />
      </p>
    )}
    <p class="links">
      <button type="button" class="quietly" onClick={() => onReveal(row)}>
        {row.file}:{row.line}
      </button>
      <button type="button" class="quietly" aria-expanded={isOpen} onClick={() => onExplain(isOpen ? null : row.code)}>
        What {row.code} means
      </button>
    </p>
    {isOpen && <Page code={row.code} call={call} />}
  </li>
);

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
