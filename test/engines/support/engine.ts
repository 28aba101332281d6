import type { ControlPlane } from './control-plane.ts';

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
  /** Follows `docs/argo-cd-and-flux.md` before Liqo is installed again in a cluster, and after it. */
  beforeReinstall(cluster: string, out: string): Promise<void>;
  afterReinstall(cluster: string, out: string): Promise<void>;
  /** Deletes by hand what the engine keeps of a cluster that has left the topology. */
  forgetCluster?(name: string): Promise<void>;
  stop(): Promise<void>;
}

/** The cluster of an entry point of weft: `rome` of `weft-europe.rome.milan`. */
export const clusterOf = (name: string): string | undefined => name.split('.')[1];

export interface ReadyOptions {
  readonly except?: string;
  readonly seconds?: number;
}
