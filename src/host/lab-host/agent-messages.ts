import type { Protocol } from '../../reach/lab/lab-plan.ts';

/** The settings of an agent. Addresses are texts, because an agent only passes them to the kernel. */
export interface AgentSettings {
  readonly cluster: string;
  /** The addresses on which the agent answers. */
  readonly pods: readonly string[];
  readonly ports: readonly number[];
  /** The ping command with its first arguments. */
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
      /**
       * The cluster that received the probe, as the receiver reports it; absent for a ping, which no program reports.
       */
      readonly by?: string;
      readonly source?: string;
      readonly destination?: string;
    }
  | { readonly kind: 'failed'; readonly id: number; readonly why: string };
