import { countOf, listOf, someOf } from '../../../base/core/words.ts';
import type { AnswerTo } from '../answers.ts';
import { Answered, Problem, SwitchedOff, Table, useAnswer } from '../parts.tsx';
import { Picture } from '../picture.tsx';
import { printRoute } from '../route.ts';

type PartFailure = AnswerTo<'failures'>[number];

/** A fleet without some of its parts: `#without=europe,rome/milan`; and the consequences of each part's failure. */
export function WhatIfView({ parts }: { readonly parts: readonly string[] }) {
  return (
    <>
      {parts.length === 0 ? (
        <p class="lead">Switch off a link, a gateway or a cluster, and see who is cut and who goes round.</p>
      ) : (
        <Without key={parts.join()} parts={parts} />
      )}
      <Answered asked={useAnswer('failures', undefined)}>{(rows) => <Failures rows={rows} off={parts} />}</Answered>
    </>
  );
}

/** Adds a part to those that are off, or takes it out. */
const toggled = (off: readonly string[], part: string): readonly string[] =>
  off.includes(part) ? off.filter((it) => it !== part) : [...off, part];

function Without({ parts }: { readonly parts: readonly string[] }) {
  const found = useAnswer('whatIf', { parts });
  const drawn = useAnswer('map', { viewer: null, near: [], side: null, without: parts });
  return (
    <section aria-label="What follows">
      <SwitchedOff parts={parts} addressOf={(left) => printRoute('without', ...left)} />
      <div role="status">
        <Answered asked={found}>
          {(it) =>
            it.ok ? (
              it.sections.map((one) => <Section key={one.sentences.join()} section={one} />)
            ) : (
              <Problem text={it.problem} />
            )
          }
        </Answered>
      </div>
      <p>
        <a href={printRoute('trace', '', '', ...parts)}>Walk without {listOf(parts)}</a>
      </p>
      <Answered asked={drawn}>
        {(drawing) => (
          <Picture drawing={drawing} label={`Map without ${parts.join(', ')}: ${drawing.summary}`} chosen={null} />
        )}
      </Answered>
    </section>
  );
}

type WordSection = Extract<AnswerTo<'whatIf'>, { ok: true }>['sections'][number];

/** Sentences, of which indented ones are a list, and a table. */
function Section({ section: { sentences, titles, rows } }: { readonly section: WordSection }) {
  const items = sentences.filter((it) => it.startsWith('  '));
  return (
    <>
      {sentences
        .filter((it) => !it.startsWith('  '))
        .map((it) => (
          <p key={it}>{it}</p>
        ))}
      {items.length > 0 && (
        <ul>
          {items.map((it) => (
            <li key={it}>{it.trim()}</li>
          ))}
        </ul>
      )}
      {rows.length > 0 && (
        <Table<readonly string[]>
          caption="Goes round"
          rows={rows}
          columns={titles.map((title, i) => ({ title: sentenceCase(title), cell: (row) => row[i] ?? '' }))}
        />
      )}
    </>
  );
}

const sentenceCase = (title: string): string => `${title.charAt(0)}${title.slice(1).toLowerCase()}`;

interface FailuresProps {
  readonly rows: readonly PartFailure[];
  readonly off: readonly string[];
}

const Failures = ({ rows, off }: FailuresProps) => (
  <Table<PartFailure>
    caption="Each part alone, those that cut most first"
    rows={rows}
    empty="The fleet has no parts that could fail."
    textOf={(it) => `${it.kind} ${it.name}`}
    columns={[
      { title: 'Without', cell: (it) => `${it.kind} ${it.name}` },
      { title: 'Cuts', cell: (it) => (it.cut === 0 ? 'nothing' : countOf(it.cut, 'pair')) },
      { title: 'Cut off', cell: (it) => someOf(it.isolated, NAMED) },
      { title: 'Go round', cell: (it) => (it.around === 0 ? '' : countOf(it.around, 'pair')) },
      {
        title: 'Breaks',
        cell: (it) =>
          [
            ...(it.broken === 0 ? [] : [countOf(it.broken, 'assertion')]),
            ...(it.endpoints === 0 ? [] : [countOf(it.endpoints, 'endpoint')]),
          ].join(', '),
      },
      {
        title: 'Try',
        cell: (it) => (
          <a
            href={printRoute('without', ...toggled(off, it.name))}
            aria-label={`switch ${off.includes(it.name) ? 'on' : 'off'} ${it.kind} ${it.name}`}
          >
            {off.includes(it.name) ? 'switch on' : 'switch off'}
          </a>
        ),
      },
    ]}
  />
);

/** The most clusters named in a cell. */
const NAMED = 3;
