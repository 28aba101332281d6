/** Traffic between one cluster and some others, in both directions. */
export interface Flows {
  readonly effect: FlowEffect;
  readonly between: string;
  readonly and: readonly string[];
}

/**
 * `stops`: no path is left. `interrupted`: the path is down for a while. `readdressed`: one end has to use other addresses,
 * or sees another source. `rerouted`: another path, and another source. `opens`: the first path.
 */
export type FlowEffect = 'stops' | 'interrupted' | 'readdressed' | 'rerouted' | 'opens';

/** No flows without a cluster at the other end. */
export const flowsBetween = (effect: FlowEffect, between: string, and: readonly string[]): readonly Flows[] =>
  and.length === 0 ? [] : [{ effect, between, and }];
