import { useId } from 'preact/hooks';
import type { AnswerTo } from '../answers.ts';
import { Answered, Problem, SwitchedOff, useAnswer, useSurroundings } from '../parts.tsx';
import { Markup } from '../picture.tsx';
import { printRoute } from '../route.ts';

type Walked = Extract<AnswerTo<'walked'>, { ok: true }>;

/**
 * The path of a packet and of its answer: `#trace=rome/10.202.0.5,milan`; without ends, who reaches whom. Parts of the
 * fleet that are switched off follow: `#trace=rome,milan,europe`.
 */
export function WalkView({ parts }: { readonly parts: readonly string[] }) {
  const { fleet } = useSurroundings();
  const [from = '', to = '', ...off] = parts;
  const [first = '', second = ''] = fleet.clusters.filter((it) => !it.retired).map((it) => it.cluster);
  return (
    <>
      {off.length > 0 && <SwitchedOff parts={off} addressOf={(left) => printRoute('trace', from, to, ...left)} />}
      <Ends
        key={parts.join()}
        off={off}
        from={from === '' ? (fleet.story?.viewer ?? first) : from}
        to={to === '' ? (fleet.story?.peer ?? second) : to}
      />
      {fleet.countsMissingKeys && <p class="quiet">Keys that are still to be made count as made.</p>}
      {from !== '' && to !== '' && <Walk key={parts.join()} from={from} to={to} off={off} />}
      <Pairs off={off} />
    </>
  );
}

interface WalkProps {
  readonly from: string;
  readonly to: string;
  /** The parts that are switched off. */
  readonly off: readonly string[];
}

function Ends({ from, to, off }: WalkProps) {
  const [fromId, toId, hintId] = [useId(), useId(), useId()];
  return (
    <form
      class="ends"
      onSubmit={(event) => {
        event.preventDefault();
        const value = (name: string): string => String(new FormData(event.currentTarget).get(name)).trim();
        location.hash = printRoute('trace', value('from'), value('to'), ...off);
      }}
    >
      <div class="field">
        <label for={fromId}>From</label>
        <input
          id={fromId}
          name="from"
          list="clusters"
          required
          autocomplete="off"
          defaultValue={from}
          aria-describedby={hintId}
        />
      </div>
      <div class="field">
        <label for={toId}>To</label>
        <input
          id={toId}
          name="to"
          list="clusters"
          required
          autocomplete="off"
          defaultValue={to}
          aria-describedby={hintId}
        />
      </div>
      <button type="submit" class="main">
        Walk
      </button>
      <p id={hintId} class="quiet">
        A cluster, one of its pods such as <code>rome/10.202.0.5</code>, or as the end an address that the sender dials;
        each optionally with a port.
      </p>
    </form>
  );
}

function Walk({ from, to, off }: WalkProps) {
  const walked = useAnswer('walked', { from, to, without: off });
  return (
    <section aria-label="The walk">
      <div role="status">
        <Answered asked={walked}>
          {(it) => (it.ok ? <Verdict words={it.words} /> : <Problem text={it.problem} />)}
        </Answered>
      </div>
      <Answered asked={walked}>
        {(it) =>
          it.ok && (
            <>
              <WalkPicture picture={it.picture} />
              <Hops title="There" hops={it.words.there} />
              <Hops title="Back" hops={it.words.back} />
            </>
          )
        }
      </Answered>
    </section>
  );
}

/** Pods, nodes, gateways and tunnels from top to bottom; the answer comes up beside the packet. */
const WalkPicture = ({ picture: { markup, description, x, y, width, height } }: Pick<Walked, 'picture'>) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is moved with the keyboard.
  <section class="wide" aria-label="The walk as a picture" tabIndex={0}>
    <svg
      class="picture walk"
      viewBox={`${x} ${y} ${width} ${height}`}
      width={width}
      height={height}
      role="img"
      aria-label={description}
    >
      <Markup text={markup} />
    </svg>
  </section>
);

const Verdict = ({ words }: Pick<Walked, 'words'>) => (
  <>
    <h2>
      <code>{words.from}</code> to <code>{words.to}</code>
    </h2>
    <p class={words.arrives ? 'verdict good' : 'verdict bad'}>{words.verdict}</p>
    {words.remarks.map((it) => (
      <p key={it}>{it}</p>
    ))}
  </>
);

interface HopsProps {
  readonly title: string;
  readonly hops: Walked['words']['there'];
}

/** One direction, hop by hop; an address that a hop has changed is marked. */
function Hops({ title, hops }: HopsProps) {
  if (hops.length === 0) return null;
  return (
    <div class="sheet hops">
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">Hop</th>
            <th scope="col">Where</th>
            <th scope="col">Source</th>
            <th scope="col">Destination</th>
            <th scope="col">By</th>
          </tr>
        </thead>
        <tbody>
          {hops.map((it, i) => {
            const before = hops[i - 1] ?? it;
            return (
              <tr key={it.number}>
                <td data-title="Hop">{it.number}</td>
                <td data-title="Where">{it.where}</td>
                <td data-title="Source">
                  <code class={it.source === before.source ? 'net' : 'net moved'}>{it.source}</code>
                </td>
                <td data-title="Destination">
                  <code class={it.destination === before.destination ? 'net' : 'net moved'}>{it.destination}</code>
                </td>
                <td data-title="By">{it.by}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** The result for every pair, as in `weft trace --all`. */
function Pairs({ off }: Pick<WalkProps, 'off'>) {
  const pairs = useAnswer('pairs', { without: off });
  return (
    <section aria-labelledby="pairs">
      <h2 id="pairs">Who reaches whom</h2>
      <Answered asked={pairs}>
        {({ rows: [titles = [], ...rows], legend, summary, missing }) => (
          <>
            <p>{summary}</p>
            {missing.map((it) => (
              <p key={it}>{it}</p>
            ))}
            {rows.length > 0 && (
              <>
                {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is moved with the keyboard. */}
                <section class="wide" aria-label="Who reaches whom, pair by pair" tabIndex={0}>
                  <table class="matrix">
                    <thead>
                      <tr>
                        {titles.map((it, i) => (
                          <th key={it} scope="col">
                            {i === 0 ? 'from / to' : it}
                          </th>
                        ))}
                      </tr>
                    </thead>
                    <tbody>
                      {rows.map(([from = '', ...cells]) => (
                        <tr key={from}>
                          <th scope="row">{from}</th>
                          {cells.map((it, i) => (
                            <PairCell key={titles[i + 1]} from={from} to={titles[i + 1] ?? ''} text={it} off={off} />
                          ))}
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </section>
                <p class="quiet">{legend}.</p>
              </>
            )}
          </>
        )}
      </Answered>
    </section>
  );
}

interface PairProps extends WalkProps {
  readonly text: string;
}

const PairCell = ({ from, to, text, off }: PairProps) => (
  <td>
    {from === to ? (
      <span class="quiet">{text}</span>
    ) : (
      <a href={printRoute('trace', from, to, ...off)} aria-label={`${from} to ${to}: ${text}`}>
        {text}
      </a>
    )}
  </td>
);
