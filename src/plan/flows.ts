/** Traffic between one cluster and some others, in both directions. */
export interface Flows {
  readonly effect: FlowEffect;
  readonly between: string;
  readonly and: readonly string[];
}

/**
 * `stops`: there is no way any more. `interrupted`: the way is gone for a while. `readdressed`: one end has to use other
 * addresses, or sees another source. `rerouted`: another way, and another source. `opens`: a way where there was none.
 */
export type FlowEffect = 'stops' | 'interrupted' | 'readdressed' | 'rerouted' | 'opens';

/** No flows where there is nobody at the other end. */
export const flowsBetween = (effect: FlowEffect, between: string, and: readonly string[]): readonly Flows[] =>
  and.length === 0 ? [] : [{ effect, between, and }];
