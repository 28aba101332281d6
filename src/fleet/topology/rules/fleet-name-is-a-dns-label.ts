import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { labelHint } from '../formats/label-hint.ts';
import type { TopologyRule } from './topology-rule.ts';

const LONGEST = 40;

/** The fleet's name becomes part of the names of Argo CD and Flux objects. */
export const fleetNameIsADnsLabel: TopologyRule = function* ({ name }) {
  if (!/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name.value)) {
    yield diagnostic('topology/bad-name', name.at, `"${name.value}" is not a valid name of a fleet`, {
      hint: labelHint(name.value),
    });
  } else if (name.value.length > LONGEST) {
    yield diagnostic('topology/name-too-long', name.at, `the fleet's name has ${name.value.length} characters`, {
      hint: `use at most ${LONGEST} characters`,
    });
  }
};
