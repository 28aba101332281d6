import { printAddress } from '../../base/net/text.ts';
import type { LabReport } from './print-lab.ts';

/** `weft lab -o json`, without the diagnostics that every document has. */
export function labDocument({ plan, verdicts, silent }: LabReport): object {
  return {
    probes: verdicts.map(({ probe: { flow, protocol, sizeBytes }, agrees, milliseconds, got }) => ({
      from: flow.from,
      to: flow.to,
      hub: flow.hub,
      sender: flow.sender,
      protocol,
      sizeBytes,
      source: printAddress(flow.source),
      dialled: printAddress(flow.dialled),
      expected: {
        source: printAddress(flow.expected.source),
        destination: printAddress(flow.expected.destination),
      },
      agrees,
      milliseconds,
      got,
    })),
    unsent: plan.unsent.map(({ from, to, fate }) => ({ from, to, fate })),
    silentLinks: silent,
  };
}
