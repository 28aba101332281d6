import type { LiveFleet } from '../../facts/links.ts';
import type { Finding, FindingRule } from '../finding.ts';
import { configurationsAreCurrent } from './configurations.ts';
import { bothEndsAreThere, dumpsAreComplete } from './dumps.ts';
import { topologyCanSayIt } from './expressible.ts';
import { gatewaysFitTogether, keysCanBeUsed } from './gateways.ts';
import { oneObjectOfEach, othersKeepNoObject } from './objects.ts';

const RULES: readonly FindingRule[] = [
  dumpsAreComplete,
  bothEndsAreThere,
  oneObjectOfEach,
  gatewaysFitTogether,
  configurationsAreCurrent,
  keysCanBeUsed,
  topologyCanSayIt,
  othersKeepNoObject,
];

/** What is broken in live clusters, or cannot be written down. */
export const findings = (live: LiveFleet): readonly Finding[] => RULES.flatMap((rule) => [...rule(live)]);
