import type { Finding, FindingRule, LiveFleet } from '../finding.ts';
import { dumpsAreComplete } from './dumps.ts';
import { othersKeepNoObject, topologyCanSayIt } from './expressible.ts';
import { keysCanBeUsed, linksAreWhole } from './links.ts';

const RULES: readonly FindingRule[] = [
  dumpsAreComplete,
  linksAreWhole,
  keysCanBeUsed,
  topologyCanSayIt,
  othersKeepNoObject,
];

/** What is broken in live clusters, or cannot be written down. */
export const findings = (live: LiveFleet): readonly Finding[] => RULES.flatMap((rule) => [...rule(live)]);
