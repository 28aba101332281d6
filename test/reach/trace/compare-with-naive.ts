import { expect } from 'vitest';
import type { AddressedCluster } from '../../../src/fleet/ipam/addressed-model.ts';
import type { SharedModel } from '../../../src/fleet/sharing/shared-model.ts';
import { printTraced } from '../../../src/reach/trace/address.ts';
import { answerTo, type Packet, type PacketHop } from '../../../src/reach/trace/packet.ts';
import { type NextHop, type Trace, trace } from '../../../src/reach/trace/trace.ts';
import { type NaiveQuestion, naiveFlow } from './naive-flow.ts';

export const text = ({ source, destination }: Packet): string => `${printTraced(source)} > ${printTraced(destination)}`;

/** Places where addresses can have changed, on the way there: the list in `NaiveFlow.packets`. */
const changing = (steps: readonly PacketHop[]): readonly string[] =>
  steps.filter((it) => ['sent', 'left-node', 'prerouting', 'mapped', 'postrouting'].includes(it.did.kind)).map(text);

function wayText(route: NextHop): string {
  return route.kind === 'through' ? `through ${route.hub}` : route.kind;
}

/** Compares the trace of one flow with the naive one, and the answer with the packet. Returns the trace. */
export function expectSameAsNaive(model: SharedModel, ask: NaiveQuestion): Trace {
  const naive = naiveFlow(model, ask);
  // The naive walk knows no fences, which tests of their own compare with the kernel.
  const { boundaries: _, ...open } = model as SharedModel & { readonly boundaries?: unknown };
  const traced = trace(open, requestOf(model, ask));
  const name = JSON.stringify(ask);
  expect(traced.fate.kind, `${name}: ${traced.fate.why}`).toBe(naive.fate);
  expect(wayText(traced.route), name).toBe(naive.way);
  expect(changing(traced.there), name).toEqual(naive.packets);
  expectWellFormed(traced, name);
  return traced;
}

function requestOf(model: SharedModel, ask: NaiveQuestion) {
  const address = (name: string, [index, host]: readonly [number, number]): number =>
    ((model.clusters.get(name) as AddressedCluster).podCIDRs[index]?.value.base ?? 0) + host;
  // Every hub maps the pod to the same host of its external CIDR.
  const mappings = [...model.clusters.values()].flatMap((hub) =>
    [...hub.peers.values()]
      .filter((it) => it.name === ask.to)
      .flatMap((it) =>
        it.podViews.map((view) => ({
          cluster: hub.name,
          external: hub.externalCIDR.base + ask.mappedHost,
          real: view.seenAs.base + ask.destination[1],
        })),
      ),
  );
  return {
    from: { cluster: ask.from, address: ask.fromNode ? null : address(ask.from, ask.source) },
    to: { kind: 'cluster', cluster: ask.to, address: address(ask.to, ask.destination) } as const,
    fromNode: ask.fromNode,
    mappings,
    ...(ask.through === null ? {} : { through: ask.through }),
  };
}

/** Laws of every trace, whatever its fate. */
export function expectWellFormed({ there, back, sent, received, fate, route }: Trace, name: string): void {
  for (const sentence of [fate.why, fate.change ?? 'None.']) expect(sentence, name).toMatch(/^["\dA-Z`].*\.$/);
  if (fate.kind === 'delivered') expect(fate.change, name).toBeNull();
  if (fate.kind !== 'delivered' && fate.kind !== 'self') expect(received, name).toBeNull();
  if (received === null) expect(back, name).toEqual([]);
  if (fate.kind !== 'delivered') return;
  expect(route.kind, name).not.toBe('none');
  const [first, last] = [there[0] as PacketHop, there.at(-1) as PacketHop];
  expect([text(first), text(last)], name).toEqual([sent, received].map((it) => text(it as Packet)));
  // There and back is the identity: in each tunnel the answer has the exchanged addresses of the packet.
  expect(text(back[0] as PacketHop), name).toBe(text(answerTo(last)));
  expect(text(back.at(-1) as PacketHop), name).toBe(text(answerTo(first)));
  const inTunnels = (steps: readonly PacketHop[]) => steps.filter((it) => it.did.kind === 'tunnel');
  expect(inTunnels(back).map(text), name).toEqual(
    inTunnels(there)
      .map((it) => text(answerTo(it)))
      .toReversed(),
  );
}
