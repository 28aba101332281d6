import { expect, it } from 'vitest';
import { inFolders } from '../../src/base/core/folder-files.ts';
import { compiledGolden } from '../proof/verify/verify-golden.ts';
import { planBetween } from './run-edit.ts';

const PROBER = 'oslo/conformance/prober.yaml';

it.each([
  ['another image', 'agnhost:2.59', 'agnhost:2.60', 'agnhost:2.60'],
  ['the same image with more rights', 'enableServiceLinks: false', 'hostNetwork: true', 'agnhost:2.59'],
])('a prober with %s is a change of trust, which a person reviews', (_, from, to, image) => {
  const golden = compiledGolden('probers-on-every-release');
  const text = new Map(golden.bundle).get(PROBER) ?? '';
  const edited = { ...golden, bundle: inFolders(new Map(golden.bundle).set(PROBER, text.replace(from, to))) };
  const { changes } = planBetween(golden, edited);
  expect(changes).toMatchObject([{ kind: 'probers-changed', action: 'change', disruptive: true, probed: ['oslo'] }]);
  expect(changes[0]).toMatchObject({ to: [`registry.k8s.io/e2e-test-images/${image}`] });
});
