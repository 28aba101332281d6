import { join } from 'node:path';
import { parseBundlePath } from '../../base/core/bundle-path.ts';
import { movedValues } from '../../base/core/moved-values.ts';
import type { GatewayName } from '../../fleet/keys/gateway.ts';
import type { FileReader } from './ports.ts';

interface ChangedBundle {
  readonly bundle: ReadonlyMap<string, string>;
  /** Folder of the bundles. */
  readonly out: string;
  /** Paths in it whose text on disk is another one. */
  readonly changed: readonly string[];
}

/** The gateways that would get the key which another gateway has in the bundles on disk. Only changed files are read. */
export async function movedKeys(
  files: FileReader,
  { bundle, out, changed }: ChangedBundle,
): Promise<readonly GatewayName[]> {
  const [before, after] = [new Map<string, string>(), new Map<string, string>()];
  for (const path of changed) {
    const place = parseBundlePath(path);
    if (place?.part !== 'peer' || place.file !== 'manifests') continue;
    // The peer has the public key.
    const gateway = `${place.peer} ${place.cluster}`;
    const read = await files.readText(join(out, path));
    const [was, is] = [read.kind === 'ok' ? publicKeyIn(read.text) : undefined, publicKeyIn(bundle.get(path) ?? '')];
    if (was !== undefined) before.set(gateway, was);
    if (is !== undefined) after.set(gateway, is);
  }
  return movedValues(before, after).map((it) => {
    const [cluster = '', peer = ''] = it.split(' ');
    return { cluster, peer };
  });
}

const publicKeyIn = (manifests: string): string | undefined => /^ {2}publicKey: "?([^"\s]+)"?$/m.exec(manifests)?.[1];
