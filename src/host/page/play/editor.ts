import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  startCompletion,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, hoverTooltip, keymap, lineNumbers, type Tooltip, tooltips } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { CompileAnswer } from './play-worker.ts';
import { describedAt, offersAt, type TopologyOffer } from './topology-offers.ts';
import { yamlPosition } from './yaml-position.ts';

type RemarkRow = CompileAnswer['diagnostics'][number];

interface EditorRequest {
  readonly host: HTMLElement;
  /** The name of the file, for readers of screens. */
  readonly label: string;
  readonly text: string;
  readonly isReadOnly: boolean;
  /** The file is a topology, whose keys are known. */
  readonly isTopology: boolean;
  readonly onChange: (text: string) => void;
  readonly onExplain: (code: string) => void;
  readonly clusters: () => readonly string[];
}

export interface Editor {
  readonly setText: (text: string) => void;
  readonly setRemarks: (rows: readonly RemarkRow[]) => void;
  readonly reveal: (line: number, column: number) => void;
  readonly close: () => void;
}

/**
 * Opens an editor. It is in a shadow tree of its own, where its styles need no element that the policy of the page would
 * have to allow.
 */
export function openEditor(request: EditorRequest): Editor {
  const root = request.host.shadowRoot ?? request.host.attachShadow({ mode: 'open' });
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({ doc: request.text, extensions: extensionsOf(request) }),
  });
  return {
    setText: (text) => {
      const { doc } = view.state;
      if (text !== doc.toString()) view.dispatch({ changes: { from: 0, to: doc.length, insert: text } });
    },
    setRemarks: (rows) =>
      view.dispatch(
        setDiagnostics(
          view.state,
          rows.map((it) => remarkOf(it, view.state, request.onExplain)),
        ),
      ),
    reveal: (line, column) => {
      const at = offsetOf(view.state, line, column);
      view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
      view.focus();
    },
    close: () => view.destroy(),
  };
}

const extensionsOf = ({ label, isReadOnly, isTopology, onChange, clusters }: EditorRequest): Extension => [
  lineNumbers(),
  lintGutter(),
  history(),
  yaml(),
  syntaxHighlighting(COLOURS),
  LOOK,
  tooltips({ position: 'fixed' }),
  EditorState.readOnly.of(isReadOnly),
  EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
  EditorView.updateListener.of((it) => {
    if (it.docChanged) onChange(it.state.doc.toString());
  }),
  ...(isTopology
    ? [
        closeBrackets(),
        autocompletion({ override: [(context) => offersOf(context, clusters())], icons: false }),
        hoverTooltip(hoverAt),
      ]
    : [autocompletion({ override: [] })]),
  keymap.of([...closeBracketsKeymap, ...completionKeymap, ...lintKeymap, ...defaultKeymap, ...historyKeymap]),
];

/** Lines and columns count from 1. A place may be behind the end of a text that was edited since. */
function offsetOf({ doc }: EditorState, line: number, column: number): number {
  const { from, to } = doc.line(Math.max(1, Math.min(line, doc.lines)));
  return Math.min(to, from + column - 1);
}

const SEVERITIES = { error: 'error', warning: 'warning', note: 'info' } as const;

function remarkOf(row: RemarkRow, state: EditorState, onExplain: (code: string) => void): Diagnostic {
  const from = offsetOf(state, row.line, row.column);
  return {
    from,
    to: Math.max(from, offsetOf(state, row.endLine, row.endColumn)),
    severity: SEVERITIES[row.severity as keyof typeof SEVERITIES],
    message: row.message,
    renderMessage: () => {
      const words = document.createElement('div');
      words.append(line(`${row.severity}: ${row.message}`));
      if (row.hint !== null) words.append(line(row.hint));
      const more = document.createElement('button');
      more.type = 'button';
      more.textContent = `What ${row.code} means`;
      more.addEventListener('click', () => onExplain(row.code));
      words.append(more);
      return words;
    },
  };
}

function line(text: string): HTMLElement {
  const paragraph = document.createElement('p');
  paragraph.textContent = text;
  return paragraph;
}

function offersOf({ state, pos, explicit }: CompletionContext, clusters: readonly string[]): CompletionResult | null {
  const position = yamlPosition(state.doc.toString(), pos);
  if (position === null || (position.from === pos && !explicit && position.kind === 'key')) return null;
  const options = offersAt(position, clusters).map(completionOf);
  return options.length === 0 ? null : { from: position.from, options, validFor: /^[\w."/-]*$/ };
}

const completionOf = ({ text, kind, title, description, insert }: TopologyOffer): Completion => ({
  label: text,
  ...(kind === 'key' && title !== text ? { detail: title } : {}),
  ...(kind === 'key' && description !== '' ? { info: () => line(description) } : {}),
  // The rest of the line may be there already.
  apply: (view, _, from, to) => {
    const after = view.state.doc.lineAt(to).text.slice(to - view.state.doc.lineAt(to).from);
    const inserted = after.startsWith(':') ? text : insert;
    view.dispatch({ changes: { from, to, insert: inserted }, selection: { anchor: from + inserted.length } });
    if (kind === 'key' && inserted.endsWith(' ')) startCompletion(view);
  },
});

function hoverAt(view: EditorView, pos: number): Tooltip | null {
  const { from, to, text } = view.state.doc.lineAt(pos);
  const before = /[\w-]*$/.exec(text.slice(0, pos - from))?.[0] ?? '';
  const after = /^[\w-]*/.exec(text.slice(pos - from))?.[0] ?? '';
  const word = before + after;
  if (word === '') return null;
  const [start, end] = [pos - before.length, Math.min(to, pos + after.length)];
  const position = yamlPosition(view.state.doc.toString(), end);
  if (position === null) return null;
  const isKey = position.kind === 'key' && /^["']?\s*:/.test(text.slice(end - from));
  const words = describedAt(isKey ? [...position.path, word] : position.path);
  return (
    words && {
      pos: start,
      end,
      above: true,
      create: () => {
        const dom = document.createElement('div');
        dom.className = 'cm-words';
        const title = document.createElement('strong');
        title.textContent = words.title;
        dom.append(title, line(words.description));
        return { dom };
      },
    }
  );
}

const COLOURS = HighlightStyle.define([
  { tag: [tags.definition(tags.propertyName), tags.propertyName], color: 'var(--accent)' },
  { tag: [tags.comment, tags.lineComment], color: 'var(--quiet)', fontStyle: 'italic' },
  { tag: [tags.string, tags.content], color: 'var(--ink)' },
  { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], color: 'var(--quiet)' },
]);

/** Colours come from the page, which inherits them into every tree. */
const LOOK = EditorView.theme({
  '&': { height: '100%', fontSize: '0.84rem', color: 'var(--ink)', backgroundColor: 'var(--page)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace', lineHeight: '1.6' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '0.6rem 0' },
  '.cm-gutters': { backgroundColor: 'var(--page)', color: 'var(--quiet)', border: 'none' },
  '.cm-tooltip': {
    backgroundColor: 'var(--card)',
    color: 'var(--ink)',
    border: '1px solid var(--line)',
    borderRadius: '6px',
    maxWidth: '30rem',
    font: '0.84rem/1.45 system-ui, sans-serif',
    boxShadow: '0 4px 16px rgb(0 0 0 / 18%)',
  },
  '.cm-tooltip p': { margin: '0.2rem 0' },
  '.cm-words, .cm-completionInfo': { padding: '0.4rem 0.7rem' },
  '.cm-tooltip-autocomplete > ul > li': { padding: '0.15rem 0.6rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--accent)',
    color: 'var(--on-accent)',
  },
  '.cm-completionDetail': { fontStyle: 'normal', opacity: '1', color: 'inherit' },
  '.cm-diagnostic': { padding: '0.3rem 0.7rem' },
  '.cm-diagnostic button': {
    font: 'inherit',
    color: 'var(--accent)',
    background: 'none',
    border: '0',
    padding: '0',
    textDecoration: 'underline',
    cursor: 'pointer',
  },
  '.cm-gutter-lint': { width: '1rem' },
  '.cm-lint-marker-info': {
    content: '""',
    width: '0.5rem',
    height: '0.5rem',
    margin: '0.4rem 0.1rem',
    borderRadius: '50%',
  },
  '.cm-lint-marker-info, .cm-diagnostic-info': { borderColor: 'var(--quiet)' },
  '.cm-gutter-lint .cm-lint-marker-info': { backgroundColor: 'var(--quiet)' },
  '.cm-lintRange-info': { backgroundImage: 'none', borderBottom: '1px dotted var(--quiet)' },
  '.cm-matchingBracket': { backgroundColor: 'var(--moved-back)' },
});
