import type { Protocol } from '../lab/lab-plan.ts';

/** What an agent is started with. Addresses are text here: an agent only hands them to the kernel. */
export interface AgentSettings {
  readonly cluster: string;
  /** Addresses on which it answers. */
  readonly pods: readonly string[];
  readonly ports: readonly number[];
  /** The command that pings, with its first arguments. */
  readonly ping: readonly string[];
}

export interface AgentOrder {
  readonly id: number;
  readonly protocol: Protocol;
  readonly source: string;
  readonly target: string;
  readonly port: number;
  readonly payloadBytes: number;
}

export type AgentAnswer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'unable'; readonly why: string }
  | {
      readonly kind: 'answered';
      readonly id: number;
      readonly milliseconds: number;
      /** As the receiver says; a ping has no receiver that could say anything. */
      readonly by?: string;
      readonly source?: string;
      readonly destination?: string;
    }
  | { readonly kind: 'failed'; readonly id: number; readonly why: string };
