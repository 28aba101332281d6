import type { ControlPlane } from './control-plane.ts';
import type { Usage } from './processes.ts';

/** A GitOps tool as a loop needs it, whichever it is. */
export interface Engine {
  /** The names of its programs in requests. */
  readonly agents: RegExp;
  /** Gives it access to another cluster. */
  addCluster(plane: ControlPlane): Promise<void>;
  /** Lets it look at git now. */
  fetchNow(): Promise<void>;
  /** Lets it apply everything again at the commit that it knows, and waits until it has. */
  applyAgain(): Promise<void>;
  /** Waits until everything is applied and healthy at a commit; `except` is a cluster that cannot be reached. */
  ready(commit: string, options?: ReadyOptions): Promise<void>;
  /** Stops the programs that apply. */
  pause(): Promise<void>;
  /** Starts them again once they know a commit. */
  resume(commit: string): Promise<void>;
  /** Follows `docs/argo-cd-and-flux.md` before Liqo is installed again in a cluster, and after it. */
  beforeReinstall(cluster: string, out: string): Promise<void>;
  afterReinstall(cluster: string, out: string): Promise<void>;
  /** Deletes by hand what the engine keeps of a cluster that has left the topology. */
  forgetCluster?(name: string): Promise<void>;
  /** Replaces the registration of a cluster by one with the name of `plane`, where two of one API server are one. */
  renameCluster?(from: string, plane: ControlPlane): Promise<void>;
  stop(): Promise<void>;
}

/** An engine whose programs all serve one cluster. */
export interface MeasuredEngine extends Engine {
  /** The work of each of its programs. */
  usage(): Readonly<Record<string, Usage>>;
  /** The text that one of its programs printed so far. */
  log(program: string): string;
}

/** The cluster of an entry point of weft: `rome` of `weft-europe.rome.milan`. */
export const clusterOf = (name: string): string | undefined => name.split('.')[1];

export interface ReadyOptions {
  readonly except?: string;
  /** The only cluster that is waited for. */
  readonly only?: string;
  readonly seconds?: number;
}

/** True for an entry point that is waited for, by its name. */
export const isAwaited = (name: string, { except, only }: ReadyOptions): boolean =>
  (except === undefined || clusterOf(name) !== except) && (only === undefined || clusterOf(name) === only);
