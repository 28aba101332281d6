import { parse } from 'yaml';
import { prefixOf, printPrefix } from '../../../src/base/net/text.ts';
import type { EntryPointManifest } from '../../../src/bundle/gitops/entry-point.ts';
import type { Compiled } from '../../../src/compile.ts';
import type { Allocator } from '../../../src/fleet/ipam/allocators/allocator.ts';
import { placeOwnAddresses } from '../../../src/fleet/ipam/own-addresses.ts';
import { type AppliedObject, appliedObjects, filesAppliedBy, fluxKustomizationsOf, idOf } from './applied-objects.ts';
import type { LiqoAnswers, Networks } from './liqo-answers.ts';

/** The bundle of one cluster in a commit, read as often as tools like. */
export class Commit {
  readonly revision: string;
  readonly objects: readonly AppliedObject[];
  readonly kustomizations: readonly EntryPointManifest[];
  /** The Kustomization that applies `kustomizations` from git. */
  readonly applier: EntryPointManifest;
  /** Ordered links, in that order: their Configurations. */
  readonly ordered: readonly string[];
  readonly applicationSet: string;
  readonly #compiled: Compiled;
  readonly #cluster: string;
  readonly #byFolder = new Map<string, readonly AppliedObject[] | null>();
  /** The compiled views of each Configuration. */
  readonly views: ReadonlyMap<string, Networks>;

  constructor(compiled: Compiled, cluster: string, revision: string) {
    this.revision = revision;
    this.#compiled = compiled;
    this.#cluster = cluster;
    this.objects = appliedObjects(compiled, cluster).map(({ object }) => object);
    this.applicationSet = compiled.bundle.get('_argocd/applicationset.yaml') ?? '';
    this.kustomizations = fluxKustomizationsOf(compiled, cluster);
    this.applier = parse(compiled.bundle.get(`_flux/clusters/${cluster}.yaml`) ?? '');
    const peers = [...(compiled.model.clusters.get(cluster)?.peers.values() ?? [])];
    const idFor = (peer: string): string => `Configuration liqo-tenant-${peer}/${peer}`;
    this.ordered = peers.filter((it) => it.remapped).map((it) => idFor(it.name));
    this.views = new Map(
      peers.map((it) => [
        idFor(it.name),
        {
          pod: it.podViews.map(({ seenAs }) => printPrefix(seenAs)),
          external: [printPrefix(it.externalView.seenAs)],
        },
      ]),
    );
  }

  /** The objects that the list of a folder applies; `null` without the folder. */
  objectsIn(folder: string): readonly AppliedObject[] | null {
    const known = this.#byFolder.get(folder);
    if (known !== undefined) return known;
    const found = this.#compiled.bundle.has(`${folder}/kustomization.yaml`) ? this.#read(folder) : null;
    this.#byFolder.set(folder, found);
    return found;
  }

  #read(folder: string): readonly AppliedObject[] {
    const files = new Set(filesAppliedBy(this.#compiled, folder));
    return appliedObjects(this.#compiled, this.#cluster)
      .filter(({ path }) => files.has(path))
      .map(({ object }) => object);
  }

  /** Configurations whose views in the cluster are not the compiled ones, or that have none. */
  notAsCompiled(cluster: LiqoAnswers): readonly string[] {
    return [...this.views.keys()].filter((it) => !this.isAsCompiled(it, cluster));
  }

  /** Objects that the cluster has and the commit has not, but for those that no tool deletes. */
  notRemoved(cluster: LiqoAnswers): readonly string[] {
    const own = new Set(this.objects.map(idOf));
    return [...cluster.objects].flatMap(([id, { target }]) =>
      own.has(id) || target.metadata.annotations?.['kustomize.toolkit.fluxcd.io/prune'] === 'disabled' ? [] : [id],
    );
  }

  isAsCompiled(id: string, cluster: LiqoAnswers): boolean {
    const [views, wanted] = [cluster.views(id), this.views.get(id)];
    return views !== undefined && wanted !== undefined && textOf(views) === textOf(wanted);
  }

  externalViewsOf(id: string): readonly string[] {
    return this.views.get(id)?.external ?? [];
  }

  /** The first link in order that gets other addresses if a foreign Network exists. */
  firstWrongWith(network: string): string {
    const ipam = this.freshIpam();
    ipam.reserve(prefixOf(network), false);
    const configurations = new Map(
      this.objects.filter((it) => it.kind === 'Configuration').map((it) => [idOf(it), it]),
    );
    const free = [...configurations.keys()].filter((it) => !this.ordered.includes(it));
    const wrong = [...free, ...this.ordered].find((id) => {
      const { remote } = (configurations.get(id)?.['spec'] ?? {}) as { readonly remote?: { readonly cidr: Networks } };
      const { pod, external } = remote?.cidr ?? { pod: [], external: [] };
      const viewOf = (it: string): string => {
        const answer = ipam.acquire(prefixOf(it));
        return answer.ok ? printPrefix(answer.prefix) : '';
      };
      const wanted = this.views.get(id) ?? { pod: [], external: [] };
      return textOf({ pod: pod.map(viewOf), external: external.map(viewOf) }) !== textOf(wanted);
    });
    return wrong ?? '';
  }

  /** The IPAM of the cluster before its first peer. */
  freshIpam(): Allocator {
    const cluster = this.#compiled.model.clusters.get(this.#cluster);
    if (cluster === undefined) throw new Error(`no cluster "${this.#cluster}"`);
    return placeOwnAddresses(cluster, { external: cluster.externalCIDR, internal: cluster.internalCIDR }).ipam;
  }
}

const textOf = ({ pod, external }: Networks): string => JSON.stringify([pod, external]);
