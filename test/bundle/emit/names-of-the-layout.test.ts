import { describe, expect, it } from 'vitest';
import { LIST_NAME, parseBundlePath, printBundlePath } from '../../../src/base/core/bundle-path.ts';
import type { Outcome } from '../../../src/base/diagnostics/outcome.ts';
import { type Compiled, compile } from '../../../src/compile.ts';
import { verifyBundle } from '../../../src/proof/verify/verify-bundle.ts';
import { resourcesBelow } from '../../support/bundle-files.ts';

/*
 * Clusters that are called like a folder or a file of the layout, or like a word of the lock. The words are taken from a
 * compiled bundle and its lock, so a new folder is tested without a change here.
 */

/** The first name is the hub. Connections of the fork, ordered links, entry points and gateway templates are all written. */
function compileFleet(names: readonly string[]): Outcome<Compiled> {
  const [hub = 'hub', ...leaves] = names;
  const text = `version: 1
name: fleet
liqo: { version: "1.1", shortcutOperator: true }
hub: ${hub}
gitops: { repository: "https://example.com/network.git" }
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto, reserved: [192.168.0.0/24] }
clusters:
  ${hub}: { podCIDR: 10.1.0.0/16, gateway: { addresses: [203.0.113.1], replicas: 2 } }
${leaves.map((it, i) => `  ${it}: { podCIDR: 10.${(i % 2) + 2}.0.0/16, gateway: 203.0.113.${i + 2} }`).join('\n')}
shortcuts: [[${leaves.slice(0, 2).join(', ')}]]
`;
  const sources = { topology: { path: 'topology.yaml', text }, keys: undefined, lock: undefined };
  return compile(sources, { relock: [], only: null });
}

function compiled(names: readonly string[]): Compiled {
  const result = compileFleet(names);
  if (!result.ok) throw new Error(result.diagnostics.map((it) => it.message).join('\n'));
  return result.value;
}

const PLAIN = ['h1', 'l1', 'l2', 'l3'];

/** Every folder and file of the layout without its ending, and every word of the lock, that a cluster may be called. */
const words = (() => {
  const { bundle, lock } = compiled(PLAIN);
  const texts = [...bundle.keys(), ...lock.matchAll(/^ {2}(\S+):/gm)].map((it) =>
    typeof it === 'string' ? it : it[1],
  );
  const parts = texts.flatMap((it) => (it ?? '').split('/')).map((it) => it.replace(/^[._]|\.[a-z]+$/g, ''));
  const own = [...PLAIN, 'fleet'];
  return [...new Set(parts)].filter((it) => /^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(it) && !own.includes(it)).sort();
})();

const legal = words.filter((it) => it !== LIST_NAME);

it('the layout and the lock have words to test', () => {
  expect(words).toEqual(expect.arrayContaining(['addresses', 'argocd', 'clusters', 'expected', 'external', 'flux']));
  expect(words).toEqual(expect.arrayContaining(['join', 'nodes', 'peers', 'port', 'shortcuts', 'source', 'unordered']));
  expect(words.length).toBeGreaterThan(20);
});

it('the name of the list for kustomize is refused', () => {
  const result = compileFleet(['h1', LIST_NAME, 'l1']);
  expect(result.diagnostics.filter((it) => it.severity === 'error').map((it) => it.code)).toEqual([
    'topology/bad-name',
  ]);
});

/** Hubs have more parts than leaves; a fleet of all words takes a second, so two hubs are enough. */
const HUBS = ['unordered', 'argocd-cm-patch'];

describe.each(HUBS)('a fleet whose hub is called %s, and whose leaves are called like the rest', (hub) => {
  const { bundle, inputs, lock } = compiled([hub, ...legal.filter((it) => it !== hub)]);
  const paths = [...bundle.keys()];

  it('has no path twice, also where capitals are ignored, and no file in the place of a folder', () => {
    expect(new Set(paths.map((it) => it.toLowerCase())).size).toBe(paths.length);
    const folders = new Set(paths.flatMap((it) => it.split('/').map((_, i, all) => all.slice(0, i).join('/'))));
    expect(paths.filter((it) => folders.has(it))).toEqual([]);
    const unread = paths.filter((it) => {
      const path = parseBundlePath(it);
      return path === undefined || printBundlePath(path) !== it;
    });
    expect(unread).toEqual([]);
  });

  it('is complete for kustomize, passes verify, and keeps its lock', () => {
    for (const cluster of legal) expect(resourcesBelow(bundle, cluster).length).toBeGreaterThan(0);
    const found = verifyBundle({ files: bundle, root: 'out', sources: inputs, compiled: bundle });
    expect(found.map((it) => `${it.code} ${it.span.source.path}: ${it.message}`)).toEqual([]);
    expect(lock.match(/\/join: /g)).toHaveLength(legal.length);
  });
});
