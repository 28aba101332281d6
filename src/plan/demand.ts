/** An entry of `assertions`. No file of `out/` contains it. */
export interface Demand {
  /** A cluster; labels as `region=south, tier=leaf`; `*` for every cluster. */
  readonly from: string;
  /** One or several clusters as in `from`, or a Service such as `demo/web` or `demo/web of rome`. */
  readonly to: string;
  readonly expect: 'reachable' | 'unreachable';
  /** The required kind of path; `null` for any path. */
  readonly via: 'shortcut' | 'hub' | null;
  /** The reason why it must be unreachable: fences or policies that refuse it, or the lack of a path; `null` for any. */
  readonly by: 'fence' | 'policy' | 'no-path' | null;
  /** The connections that it is about, such as `from namespace web, to namespace shop, on TCP 5432`; `null` for any. */
  readonly flow: string | null;
  /** The part that may fail, as it is written; `null` for a demand about all parts together. */
  readonly without: string | null;
  /** The clusters that the entry names. */
  readonly named: readonly string[];
  /** The clusters that each side selects; none for a Service. */
  readonly applies: readonly [from: readonly string[], to: readonly string[]];
}

/** The assertions of the topologies on both sides of a plan. */
export interface Demands {
  /** `null` when the topology of the base cannot be read. */
  readonly before: readonly Demand[] | null;
  readonly after: readonly Demand[];
}

export const demandId = (it: Demand | null): string =>
  it === null
    ? '-'
    : [
        `${endsOf(it)} ${it.expect}`,
        it.flow,
        it.via && `via ${it.via}`,
        it.by && `by ${it.by}`,
        it.without && `without ${it.without}`,
      ]
        .filter((word) => word !== null)
        .join(' ');

export const endsOf = ({ from, to }: Demand): string => `${from} to ${to}`;

/**
 * True when the new demand is stronger. For `reachable`, a required path and a part that may fail are met by fewer
 * networks; for `unreachable`, by more.
 */
export function isStronger(was: Demand, is: Demand): boolean {
  const [weaker, stronger] = is.expect === 'reachable' ? [was, is] : [is, was];
  const isAsStrong = (now: string | null, before: string | null): boolean => before === null || before === now;
  return (
    was.expect === is.expect &&
    was.flow === is.flow &&
    (was.by === null || was.by === is.by) &&
    isAsStrong(stronger.via, weaker.via) &&
    isAsStrong(stronger.without, weaker.without)
  );
}
