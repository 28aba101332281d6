import { DEFAULT_IMAGE_REGISTRY, DEFAULT_LIQO_NAMESPACE, DEFAULT_POOLS } from '../../base/releases/install-defaults.ts';
import { DEFAULT_RELEASE, NEWEST_PATCH, type Release, releaseOf } from '../../base/releases/release.ts';
import type { ClusterSpec } from '../../base/schema-types/topology.ts';
import type { ObservedCluster, ObservedShortcut } from '../facts/cluster.ts';
import type { ClustersById } from '../facts/links.ts';
import { settingsInTemplates } from './templates-of.ts';

/** Liqo's installation in one cluster; `null` for unknown values. */
interface Installation {
  readonly version: string;
  readonly namespace: string | null;
  readonly registry: string | null;
  readonly tag: string | null;
  readonly pools: readonly string[] | null;
}

/** Returns the installation of a cluster; images count only if weft writes templates with them. */
export function installationOf(observed: ObservedCluster): Installation {
  const { release } = supportedRelease(observed);
  const images = settingsInTemplates(observed).flatMap((it) => it.images ?? [])[0] ?? observed.images;
  const isUsual = images?.registry === DEFAULT_IMAGE_REGISTRY && settingsInTemplates(observed).length === 0;
  return {
    version: NEWEST_PATCH[release.line] === release.version ? release.line : release.version,
    namespace: observed.liqoNamespace,
    registry: images === null || isUsual ? null : images.registry,
    tag: images === null || images.tag === `v${release.version}` ? null : images.tag,
    pools: observed.pools,
  };
}

interface FoundRelease {
  readonly release: Release;
  /** `guessed`: inferred from objects, since none names a release. `unsupported`: a supported one replaces it. */
  readonly from: 'live' | 'guessed' | 'unsupported';
}

/** Returns the release of a cluster, or the nearest supported one. */
export function supportedRelease(observed: ObservedCluster): FoundRelease {
  if (observed.release === null) return { release: guessedRelease(observed), from: 'guessed' };
  const release = releaseOf(observed.release);
  if (release !== undefined) return { release, from: 'live' };
  const line = observed.release.startsWith('1.0.') ? '1.0' : DEFAULT_RELEASE.line;
  return { release: { line, version: NEWEST_PATCH[line] }, from: 'unsupported' };
}

/** Since 1.2, Networks of peers have the CIDR in their names. An older release could also be 1.0. */
function guessedRelease({ peers }: ObservedCluster): Release {
  const names = [...peers.values()].flatMap((it) => it.networks.map((one) => one.name));
  const isOlder = names.length > 0 && names.every((it) => /-(pod|external)$/.test(it));
  return isOlder ? { line: '1.1', version: NEWEST_PATCH['1.1'] } : DEFAULT_RELEASE;
}

/** The installation values for all clusters, and the exceptions. */
interface InferredInstallations {
  readonly liqo: NonNullable<ClusterSpec['liqo']>;
  readonly pools: readonly string[] | null;
  readonly ofClusters: ReadonlyMap<string, Pick<ClusterSpec, 'liqo' | 'ipam'>>;
}

export function inferInstallations(installed: ReadonlyMap<string, Installation>): InferredInstallations {
  const all = [...installed.values()];
  const usual = {
    version: most(all.map((it) => it.version)) ?? DEFAULT_RELEASE.line,
    namespace: most(all.map((it) => it.namespace)) ?? DEFAULT_LIQO_NAMESPACE,
    registry: most(all.map((it) => it.registry)) ?? DEFAULT_IMAGE_REGISTRY,
    // A custom tag belongs to one release, so it becomes the default only if every cluster has one.
    tag: all.every((it) => it.tag !== null) ? most(all.map((it) => it.tag)) : null,
  };
  const pools = most(all.map((it) => it.pools?.join(' ') ?? null))?.split(' ') ?? null;
  const byDefault = DEFAULT_POOLS.join(' ');
  return {
    liqo: {
      ...(usual.version === DEFAULT_RELEASE.line ? {} : { version: usual.version }),
      ...(usual.namespace === DEFAULT_LIQO_NAMESPACE ? {} : { namespace: usual.namespace }),
      ...imageOf(usual.registry === DEFAULT_IMAGE_REGISTRY ? null : usual.registry, usual.tag),
    },
    pools: pools?.join(' ') === byDefault ? null : pools,
    ofClusters: new Map(
      [...installed].map(([cluster, it]) => {
        const liqo = {
          ...(it.version === usual.version ? {} : { version: it.version }),
          ...(it.namespace === null || it.namespace === usual.namespace ? {} : { namespace: it.namespace }),
          ...imageOf(it.registry === usual.registry ? null : it.registry, it.tag === usual.tag ? null : it.tag),
        };
        const isOther = it.pools !== null && it.pools.join(' ') !== (pools?.join(' ') ?? byDefault);
        return [
          cluster,
          {
            ...(Object.keys(liqo).length === 0 ? {} : { liqo }),
            ...(isOther ? { ipam: { pools: [...(it.pools ?? [])] } } : {}),
          },
        ];
      }),
    ),
  };
}

function imageOf(registry: string | null, tag: string | null): Pick<NonNullable<ClusterSpec['liqo']>, 'image'> {
  if (registry === null && tag === null) return {};
  return { image: { ...(registry === null ? {} : { registry }), ...(tag === null ? {} : { tag }) } };
}

function most(values: readonly (string | null)[]): string | null {
  const counts = new Map<string, number>();
  for (const it of values) if (it !== null) counts.set(it, (counts.get(it) ?? 0) + 1);
  const [first] = [...counts].sort(([, a], [, b]) => b - a);
  return first?.[0] ?? null;
}

/** True when the fork's operator connects all shortcuts by objects with weft's names. */
export const usesShortcutOperator = (clusters: ClustersById): boolean =>
  [...clusters.values()].some((it) => it.shortcuts.length > 0 && otherConnections(it).length === 0);

/**
 * Returns connections with another name or namespace. Beside one of these weft must not write its own: when either is
 * deleted, the operator disconnects the clusters.
 */
export const otherConnections = (observed: ObservedCluster): readonly ObservedShortcut[] =>
  observed.shortcuts.filter((it) => !isWeftShortcut(it, observed.liqoNamespace ?? DEFAULT_LIQO_NAMESPACE));

/** The names are those of `nameShortcuts` in model/. */
function isWeftShortcut({ namespace, name, client, server }: ObservedShortcut, liqoNamespace: string): boolean {
  const plain = name.replace(/^s\d+-/, '');
  return namespace === liqoNamespace && (plain === `${client}--${server}` || plain === `${client}.${server}`);
}
