/** An entry of `assertions`. No file of `out/` contains it. */
export interface Demand {
  /** A cluster; labels as `region=south, tier=leaf`; `*` for every cluster. */
  readonly from: string;
  /** The same, or a Service as `demo/web`, `demo/web of rome`. */
  readonly to: string;
  readonly expect: 'reachable' | 'unreachable';
  /** `null`: over any path. */
  readonly via: 'shortcut' | 'hub' | null;
  /** The clusters that it names. */
  readonly named: readonly string[];
  /** The clusters that each side selects; none for a Service. */
  readonly applies: readonly [from: readonly string[], to: readonly string[]];
}

/** What the topologies of both sides of a plan demand. */
export interface Demands {
  /** `null` where the topology of the base cannot be read. */
  readonly before: readonly Demand[] | null;
  readonly after: readonly Demand[];
}

export const demandId = (it: Demand | null): string =>
  it === null ? '-' : `${endsOf(it)} ${it.expect}${it.via === null ? '' : ` via ${it.via}`}`;

/** What a demand is about. */
export const endsOf = ({ from, to }: Demand): string => `${from} to ${to}`;

/** A demand with a path is met by fewer networks where packets must pass, and by more where they must not. */
export const isStronger = (was: Demand, is: Demand): boolean =>
  was.expect === is.expect && (is.expect === 'reachable' ? was.via === null : is.via === null);
