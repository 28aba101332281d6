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
  /** Waits until everything is applied and healthy at a commit; `except` matches the names of what cannot be. */
  ready(commit: string, options?: ReadyOptions): Promise<void>;
  stop(): Promise<void>;
}

export interface ReadyOptions {
  readonly except?: RegExp;
  readonly seconds?: number;
}
