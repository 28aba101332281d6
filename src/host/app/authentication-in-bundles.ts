import { join } from 'node:path';
import { printBundlePath } from '../../base/core/bundle-path.ts';
import type { SharedModel } from '../../fleet/sharing/shared-model.ts';
import type { FileReader } from './ports.ts';

interface Bundles {
  /** Folder of the bundles. */
  readonly out: string;
  /** What a compile writes, and the paths of it whose text on disk is another one: only those can lose a key. */
  readonly changed?: { readonly bundle: ReadonlyMap<string, string>; readonly paths: ReadonlySet<string> } | null;
  /** Only the folders of these clusters are written; `null` for all. */
  readonly only?: readonly string[] | null;
}

/**
 * The consumers without a recorded authentication key for which a provider has one in the bundles on disk: the fleet uses it, and
 * only the keys file has lost it. The key of a renamed consumer is no longer of use: its requests have the former name.
 */
export async function authenticationInBundles(
  files: FileReader,
  { shares, clusters }: Pick<SharedModel, 'shares' | 'clusters'>,
  { out, changed = null, only = null }: Bundles,
): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const { consumer, provider, key } of shares) {
    if (key !== null || found.has(consumer.name) || (only !== null && !only.includes(provider.name))) continue;
    const former = clusters.get(provider.name)?.renamedFrom?.value;
    for (const cluster of former === undefined ? [provider.name] : [provider.name, former]) {
      const path = printBundlePath({ part: 'sharing', cluster, name: consumer.name });
      if (changed?.bundle.has(path) && !changed.paths.has(path)) continue;
      const read = await files.readText(join(out, path));
      if (read.kind === 'ok' && tenantKeyIn(read.text) !== undefined) found.add(consumer.name);
    }
  }
  return [...found];
}

/** The key that a Tenant among these manifests has; no other kind has such a field at this place. */
const tenantKeyIn = (manifests: string): string | undefined =>
  /^kind: Tenant$/m.test(manifests) ? /^ {2}publicKey: "?([^"\s]+)"?$/m.exec(manifests)?.[1] : undefined;
