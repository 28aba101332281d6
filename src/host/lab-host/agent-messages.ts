import type { Protocol } from '../../reach/lab/lab-plan.ts';

/** The settings of an agent. Addresses are texts, since an agent only passes them to the kernel. */
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
      /** As the receiver reports it; nothing reports for a ping. */
      readonly by?: string;
      readonly source?: string;
      readonly destination?: string;
    }
  | { readonly kind: 'failed'; readonly id: number; readonly why: string };
