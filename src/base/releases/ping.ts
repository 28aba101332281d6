/** Settings of the ping by which a gateway checks its tunnel. */
export interface Ping {
  readonly enabled: boolean;
  /** The number of pings in a row that may fail before the connection counts as lost. */
  readonly lossThreshold: number;
  /** Go durations, as Liqo's flags take them: `2s`. */
  readonly interval: string;
  readonly updateStatusInterval: string;
}

/** Source: liqotech/liqo@v1.0.3 to @v1.2.0 deployments/liqo/values.yaml (networking.gatewayTemplates.ping). */
export const LIQO_PING: Ping = { enabled: true, lossThreshold: 5, interval: '2s', updateStatusInterval: '10s' };
