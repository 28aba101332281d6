import { generationIn } from '../base/core/key-pair.ts';
import { tenantNamespace } from '../base/releases/labels.ts';
import type { NamesState, SideState } from './network-state.ts';
import type { ManifestLines } from './read-manifest-lines.ts';

/** The names of the objects for a peer, with the unchanged name of the Secret. */
export function readNamesState(manifests: readonly ManifestLines[], peer: string): NamesState {
  const other = (kind: RegExp, usual: string): string | null => {
    const name = manifests.find((it) => kind.test(it.get('kind') ?? ''))?.get('metadata.name');
    return name === undefined || name === usual ? null : name;
  };
  const gateway = manifests.find((it) => GATEWAY.test(it.get('kind') ?? ''));
  return {
    namespace: other(/^Namespace$/, tenantNamespace(peer)),
    configuration: other(/^Configuration$/, peer),
    gateway: other(GATEWAY, peer),
    publicKey: other(/^PublicKey$/, peer),
    secret: gateway?.get('spec.secretRef.name') || null,
  };
}

const GATEWAY = /^Gateway(Server|Client)$/;

/** The placeholder for the ID of the peer. */
const PLACEHOLDER = '{peer}';

/** The name of the Secret of one end, where `usual` is that of the fleet. */
export const secretOf = ({ peer, names }: SideState, usual: string | null): string | null =>
  names.secret ?? (usual === null ? null : filled(usual, peer));

const filled = (pattern: string, peer: string): string => pattern.replaceAll(PLACEHOLDER, peer);

export interface NamedSecret {
  readonly peer: string;
  readonly secret: string;
}

/** The name of most Secrets of the first generation, with `{peer}` in place of the peer's name; `null` without Secrets. */
export function usualSecret(secrets: readonly NamedSecret[]): string | null {
  const counts = new Map<string, number>();
  for (const { peer, secret } of secrets) {
    const literal = secret.includes(peer) ? secret : generationIn(secret).first;
    for (const it of new Set([literal, generationIn(secret.replaceAll(peer, () => PLACEHOLDER)).first])) {
      counts.set(it, (counts.get(it) ?? 0) + 1);
    }
  }
  // Among equally frequent names, one without a placeholder: the name of a peer may be a part of the Secret's name.
  const [most] = [...counts].sort(
    ([a, m], [b, n]) => n - m || a.split(PLACEHOLDER).length - b.split(PLACEHOLDER).length,
  );
  return most?.[0] ?? null;
}

/** The names, with that of the Secret only when it differs from the usual one. */
export const withUsualSecret = (names: NamesState, peer: string, usual: string | null): NamesState =>
  usual !== null && names.secret === filled(usual, peer) ? { ...names, secret: null } : names;
