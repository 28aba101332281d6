import { plainPaint } from '../../../src/answers/report/paint.ts';
import { printDiagnostics } from '../../../src/answers/report/print-diagnostics.ts';
import { once } from '../../../src/base/core/once.ts';
import { type Compiled, compile } from '../../../src/compile.ts';
import { handshakesOf } from '../../support/handshakes.ts';

const SPOKES = Array.from({ length: 19 }, (_, i) => `spoke-${i + 1}`);

/** A hub that borrows from all its spokes, two slices of every other one, and lends to the first two of them: 20 clusters. All files of
 * a worker share it: nothing of it may be changed. */
export const largeFleet = once((): Compiled => {
  const clusters = SPOKES.map((it, i) => `  ${it}: { podCIDR: 10.${120 + i}.0.0/16 }\n`);
  const borrowed = SPOKES.map((it, i) => {
    const slices = i % 2 === 0 ? `slices: [{ name: ${it}-a, ${SIZE} }, { name: ${it}-b, ${SIZE} }]` : SIZE;
    return `  - { consumer: hub, provider: ${it}, ${slices} }\n`;
  });
  const lent = SPOKES.slice(0, 2).map((it) => `  - { consumer: ${it}, provider: hub, ${SIZE} }\n`);
  const text = `version: 1
name: large
hub: hub
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto, reserved: [192.168.0.0/24] }
clusters:
  hub: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
${clusters.join('')}sharing:
${borrowed.join('')}${lent.join('')}offloading:
  - { cluster: hub, namespace: demo }
  - { cluster: hub, namespace: batch, to: [spoke-1, spoke-2], pods: Remote, remoteName: work }
`;
  const { authentication, identities = '' } = handshakesOf(text);
  const outcome = compile(
    {
      topology: { path: 'topology.yaml', text },
      keys: { path: 'topology.keys.yaml', text: `version: 1\nkeys: {}\n${authentication}` },
      identities: { path: 'topology.identities.yaml', text: identities },
      lock: undefined,
    },
    { relock: [], only: null },
  );
  if (!outcome.ok) throw new Error(printDiagnostics(outcome.diagnostics, { paint: plainPaint, verbose: true }));
  return outcome.value;
});

const SIZE = 'resources: { cpu: 4, memory: 8Gi, pods: 110 }';
