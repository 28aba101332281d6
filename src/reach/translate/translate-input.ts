import type { Located } from '../../base/source/source.ts';

/** The addresses or slices to translate. */
export type TranslateInput =
  | { readonly kind: 'addresses'; readonly addresses: readonly Located<number>[] }
  | { readonly kind: 'slices'; readonly slices: readonly InputSlice[] };

/** An EndpointSlice of IPv4 addresses in the hub. */
export interface InputSlice {
  readonly name: string;
  readonly namespace: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly endpoints: readonly InputEndpoint[];
  /** The ports, unchanged; `undefined` when there are none. */
  readonly ports: Json | undefined;
}

export interface InputEndpoint {
  readonly addresses: readonly Located<number>[];
  /** The unchanged endpoint. */
  readonly plain: JsonMap;
}

/**
 * True when the hub can find the cluster of the endpoint's pod. Direct connections are used only for such endpoints.
 */
export const isAttributed = (plain: JsonMap): boolean =>
  plain['targetRef'] !== undefined && plain['targetRef'] !== null;

/** A value in a Kubernetes object. Members that are `undefined` are left out. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined };

export type JsonMap = { readonly [key: string]: Json | undefined };
