import type { Located } from '../source/located.ts';
import type { Json, JsonMap } from './json.ts';

/** What somebody wants translated. */
export type TranslateInput =
  | { readonly kind: 'addresses'; readonly addresses: readonly Located<number>[] }
  | { readonly kind: 'slices'; readonly slices: readonly InputSlice[] };

/** An EndpointSlice of IPv4 addresses as the hub has it. */
export interface InputSlice {
  readonly name: string;
  readonly namespace: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly endpoints: readonly InputEndpoint[];
  /** As they stand; `undefined` without any. */
  readonly ports: Json | undefined;
}

export interface InputEndpoint {
  readonly addresses: readonly Located<number>[];
  /** The endpoint as it stands. */
  readonly plain: JsonMap;
}

/** Whether the hub knows on whose node the endpoint's pod runs. Only such endpoints take part in direct connections. */
export const isAttributed = (plain: JsonMap): boolean =>
  plain['targetRef'] !== undefined && plain['targetRef'] !== null;
