import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useId, useState } from 'preact/hooks';
import type { AnswerTo, Ask, FleetSummary, Question, RequestOf } from './answers.ts';
import { printRoute } from './route.ts';

/** The surroundings of every view of a page. */
interface Around {
  readonly ask: Ask;
  readonly fleet: FleetSummary;
}

export const Surroundings = createContext<Around | null>(null);

export function useSurroundings(): Around {
  const around = useContext(Surroundings);
  if (around === null) throw new Error('a view outside of the page');
  return around;
}

type Asked<T> = { readonly kind: 'waiting' } | { readonly kind: 'failed'; readonly error: unknown } | Known<T>;

interface Known<T> {
  readonly kind: 'known';
  readonly value: T;
}

/** The answer of the compiler; while a new one is computed, the last one stays. */
export function useAnswer<Q extends Question>(question: Q, request: RequestOf<Q>): Asked<AnswerTo<Q>> {
  const { ask } = useSurroundings();
  const [state, set] = useState<Asked<AnswerTo<Q>>>({ kind: 'waiting' });
  const key = JSON.stringify([question, request]);
  // The key is the question and the request.
  useEffect(() => {
    let isCurrent = true;
    ask(question, request).then(
      (value) => isCurrent && set({ kind: 'known', value }),
      (error: unknown) => isCurrent && set({ kind: 'failed', error }),
    );
    return () => {
      isCurrent = false;
    };
  }, [ask, key]);
  return state;
}

interface AnsweredProps<T> {
  readonly asked: Asked<T>;
  readonly children: (value: T) => ComponentChildren;
}

/** Elements that are made from an answer, once it is there. */
export function Answered<T>({ asked, children }: AnsweredProps<T>) {
  if (asked.kind === 'waiting') return <p class="waiting">Computing …</p>;
  return asked.kind === 'failed' ? <Failure error={asked.error} /> : children(asked.value);
}

/** A bug of weft, or of the browser. */
export const Failure = ({ error }: { readonly error: unknown }) => (
  <p class="notice bad" role="alert">
    The page cannot show this: {error instanceof Error ? error.message : String(error)}
  </p>
);

interface ProblemProps {
  readonly text: string;
  readonly hint?: string | null;
}

/** The reason why there is no answer, or not all of it. */
export const Problem = ({ text, hint = null }: ProblemProps) => (
  <p class="notice bad">
    {sentence(text)}
    {hint !== null && (
      <>
        <br />
        <span class="quiet">{sentence(hint)}</span>
      </>
    )}
  </p>
);

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
}

interface TableProps<Row> {
  /** The words above the table. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** The text in which a search looks for words; without it there is no search. */
  readonly textOf?: (row: Row) => string;
  readonly empty?: string;
}

/** Rows up to which a table needs no search, and rows that are shown at once. */
const FEW = 12;
const SHOWN = 200;

/** A table that becomes a list of cards on a narrow screen. */
export function Table<Row>({ caption, columns, rows, textOf, empty = 'Nothing.' }: TableProps<Row>) {
  const [words, search] = useState('');
  const [most, showMore] = useState(SHOWN);
  const id = useId();
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found =
    textOf === undefined || wanted.length === 0
      ? rows
      : rows.filter((it) => wanted.every((word) => textOf(it).toLowerCase().includes(word)));
  if (rows.length === 0) return <p class="quiet">{empty}</p>;
  return (
    <div class="sheet">
      {textOf !== undefined && rows.length > FEW && (
        <div class="search">
          <label for={id}>Search</label>
          <input id={id} type="search" value={words} onInput={(it) => search(it.currentTarget.value)} />
          <span role="status">
            {found.length} of {rows.length}
          </span>
        </div>
      )}
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map((it) => (
              <th key={it.title} scope="col">
                {it.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {found.slice(0, most).map((row, i) => (
            // Rows have no identity, and no state.
            <tr key={i}>
              {columns.map(({ title, cell }) => (
                <td key={title} data-title={title}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {found.length > most && (
        <button type="button" onClick={() => showMore(most + 5 * SHOWN)}>
          Show more of {found.length}
        </button>
      )}
    </div>
  );
}

/** An address or a network. */
export const Net = ({ children, isMoved = false }: { readonly children: string; readonly isMoved?: boolean }) => (
  <code class={isMoved ? 'net moved' : 'net'}>{children}</code>
);

/** A cluster, which leads to its view of the fleet. */
export const Cluster = ({ name }: { readonly name: string }) => (
  <a class="cluster" href={printRoute('eyes', name)}>
    {name}
  </a>
);

interface SwitchedOffProps {
  readonly parts: readonly string[];
  /** The address of the view when only these parts are off. */
  readonly addressOf: (parts: readonly string[]) => string;
}

/** The parts that are switched off; each is a link that switches it on again. */
export const SwitchedOff = ({ parts, addressOf }: SwitchedOffProps) => (
  <ul class="chips" aria-label="Switched off">
    {parts.map((it) => (
      <li key={it}>
        <a href={addressOf(parts.filter((other) => other !== it))} aria-label={`${it} ×: switch on again`}>
          {it} ×
        </a>
      </li>
    ))}
  </ul>
);

interface PickerProps {
  readonly label: string;
  readonly value: string;
  readonly onPick: (cluster: string) => void;
}

/** Names up to which a list to choose from is comfortable. */
const LISTED = 100;

/** Chooses a cluster: from a list, or in a large fleet by typing. */
export function ClusterPicker({ label, value, onPick }: PickerProps) {
  const { fleet } = useSurroundings();
  const id = useId();
  const names = fleet.clusters.filter((it) => !it.retired).map((it) => it.cluster);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {names.length > LISTED ? (
        <input
          id={id}
          list="clusters"
          defaultValue={value}
          autocomplete="off"
          onChange={({ currentTarget: it }) => names.includes(it.value) && onPick(it.value)}
        />
      ) : (
        <select id={id} value={value} onChange={(it) => onPick(it.currentTarget.value)}>
          {names.map((it) => (
            <option key={it} value={it}>
              {it}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}
