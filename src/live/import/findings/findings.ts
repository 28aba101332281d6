import type { Finding } from '../finding.ts';
import type { LiveFleet } from '../live-fleet.ts';
import { bothEndsAreThere } from './both-ends-are-there.ts';
import { configurationsAreCurrent } from './configurations-are-current.ts';
import { dumpsAreComplete } from './dumps-are-complete.ts';
import type { FindingRule } from './finding-rule.ts';
import { gatewaysFitTogether } from './gateways-fit-together.ts';
import { keysCanBeUsed } from './keys-can-be-used.ts';
import { oneObjectOfEach } from './one-object-of-each.ts';
import { othersKeepNoObject } from './others-keep-no-object.ts';
import { topologyCanSayIt } from './topology-can-say-it.ts';

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
