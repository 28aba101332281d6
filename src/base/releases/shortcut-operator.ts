import { NETWORKING_API } from './api-versions.ts';

/** The kinds of gateway that a ForeignClusterConnection names, the same as in liqoctl's flags. */
export const GATEWAY_TYPES = {
  server: `${NETWORKING_API}/wggatewayservertemplates`,
  client: `${NETWORKING_API}/wggatewayclienttemplates`,
} as const;

/** The default of the operator for one connection. */
export const OPERATOR_TIMEOUT_SECONDS = 120;
