/** What to look at for one link, in order, with what is expected there. */
export interface Runbook {
  readonly server: string;
  readonly client: string;
  readonly steps: readonly RunbookStep[];
}

export interface RunbookStep {
  /** The same for every link, for programs. */
  readonly id: StepId;
  readonly title: string;
  readonly checks: readonly Check[];
  /** What the answers mean, and what to do next. */
  readonly outcomes: readonly Outcome[];
}

type StepId =
  | 'objects'
  | 'pods'
  | 'wireguard'
  | 'reachability'
  | 'tunnel'
  | 'mtu'
  | 'packets'
  | 'translations'
  | 'routes'
  | 'end-to-end';

/** A command and what it shows where all is well. */
export interface Check {
  /** The cluster that is looked at. */
  readonly cluster: string;
  /** Words in capitals are for the reader to fill in. */
  readonly command: string;
  readonly expect: readonly Expectation[];
}

interface Expectation {
  readonly what: string;
  readonly value: string;
}

interface Outcome {
  readonly when: string;
  readonly next: string;
}
