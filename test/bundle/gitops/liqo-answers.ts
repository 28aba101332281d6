import { prefixOf, printPrefix } from '../../../src/base/net/text.ts';
import type { Allocator } from '../../../src/fleet/ipam/allocators/allocator.ts';
import { type AppliedObject, idOf } from './applied-objects.ts';
import type { LiveObject } from './cel.ts';

const LISTS = ['pod', 'external'] as const;
type List = (typeof LISTS)[number];
export type Networks = Readonly<Record<List, readonly string[]>>;

/** The gateways of a server and of a client. */
const GATEWAY_STATUS = { endpoint: { addresses: ['203.0.113.10'] }, clientRef: {}, secretRef: {} };

/** An object in a cluster. */
interface Stored {
  readonly target: AppliedObject;
  /** The Kustomization whose labels it has. */
  readonly owner: string;
  readonly generation: number;
  /** The networks of a Configuration from the IPAM, by list and CIDR. */
  readonly given: Map<string, string>;
  answered: { readonly views: Networks; readonly generation: number } | undefined;
  /** The last shown state, until it changes. */
  shown?: LiveObject;
}

/**
 * A cluster with Liqo's answers to Configurations: one Network after the other is taken from the IPAM in the order in which
 * the requests reach it, each after a while. The status is written when the last of a Configuration is there.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/networking/external-network/configuration.
 */
export class LiqoAnswers {
  readonly objects = new Map<string, Stored>();
  /** Configurations that were created, in order. */
  readonly created: string[] = [];
  /** The number of times that an object was created or changed. */
  writes = 0;
  readonly #freshIpam: () => Allocator;
  readonly #later: (work: () => void) => void;
  readonly #gatewaysHang: boolean;
  #ipam: Allocator;
  #hasKinds = true;
  #isRunning = true;

  /** @param later carries out work after a while that it chooses itself */
  constructor(
    freshIpam: () => Allocator,
    later: (work: () => void) => void,
    { gatewaysHang = false }: { readonly gatewaysHang?: boolean } = {},
  ) {
    this.#gatewaysHang = gatewaysHang;
    this.#freshIpam = freshIpam;
    this.#ipam = freshIpam();
    this.#later = later;
  }

  /** False while the kinds of Liqo are unknown to the API server: then nothing of a bundle can be applied. */
  get hasKinds(): boolean {
    return this.#hasKinds;
  }

  apply(target: AppliedObject, owner: string): void {
    if (!this.#hasKinds) throw new Error(`no matches for kind "${target.kind}"`);
    const id = idOf(target);
    const was = this.objects.get(id);
    const isSame = JSON.stringify(was?.target['spec']) === JSON.stringify(target['spec']);
    const generation = was === undefined ? 1 : was.generation + (isSame ? 0 : 1);
    const { given = new Map<string, string>(), answered } = was ?? {};
    if (was?.owner === owner && JSON.stringify(was.target) === JSON.stringify(target)) return;
    this.writes += 1;
    this.objects.set(id, { target, owner, generation, given, answered });
    if (target.kind !== 'Configuration') return;
    if (was === undefined) this.created.push(id);
    if (was === undefined || !isSame) this.#ask(id);
  }

  /** The networks of a Configuration go with it. */
  remove(id: string): void {
    for (const network of this.objects.get(id)?.given.values() ?? []) this.#ipam.release(prefixOf(network));
    this.objects.delete(id);
  }

  /** Everything of Liqo is gone, and with `keepsKinds: false` its kinds, too. */
  uninstall({ keepsKinds }: { readonly keepsKinds: boolean }): void {
    this.objects.clear();
    this.#hasKinds = keepsKinds;
    this.#isRunning = false;
  }

  install(): void {
    this.#hasKinds = true;
    this.#isRunning = true;
    this.#ipam = this.#freshIpam();
    for (const [id, { target }] of this.objects) if (target.kind === 'Configuration') this.#ask(id);
  }

  /** Another user takes a network before it is requested. */
  occupy(network: string): void {
    this.#ipam.reserve(prefixOf(network), false);
  }

  vacate(network: string): void {
    this.#ipam.release(prefixOf(network));
  }

  /** The object as the API server has it. */
  live(id: string): LiveObject | undefined {
    const stored = this.objects.get(id);
    if (stored === undefined || stored.shown !== undefined) return stored?.shown;
    const { target, generation, answered } = stored;
    const hasStatus = answered !== undefined || target.kind.startsWith('Gateway');
    const managedFields = [{ manager: 'tool' }, ...(hasStatus ? [{ manager: 'liqo', subresource: 'status' }] : [])];
    stored.shown = {
      ...target,
      metadata: { ...target.metadata, generation, managedFields },
      ...(target.kind.startsWith('Gateway') && !this.#gatewaysHang && { status: GATEWAY_STATUS }),
      ...(answered && {
        status: {
          remote: { cidr: answered.views },
          conditions: [{ type: 'NetworkCIDRsConfigured', status: 'True', observedGeneration: answered.generation }],
        },
      }),
    };
    return stored.shown;
  }

  /** The views of a Configuration; `undefined` until it is answered. */
  views(id: string): Networks | undefined {
    return this.objects.get(id)?.answered?.views;
  }

  #ask(id: string): void {
    this.#later(() => this.#answerNext(id));
  }

  /** One Network in each step, so that requests of several Configurations meet in any order. */
  #answerNext(id: string): void {
    const stored = this.objects.get(id);
    if (stored === undefined || !this.#isRunning) return;
    const { target, given, generation } = stored;
    const asked = (target['spec'] as { readonly remote: { readonly cidr: Networks } }).remote.cidr;
    const keys = LISTS.flatMap((list) => asked[list].map((cidr) => `${list} ${cidr}`));
    for (const [key, network] of given) {
      if (keys.includes(key)) continue;
      this.#ipam.release(prefixOf(network));
      given.delete(key);
    }
    const next = keys.find((it) => !given.has(it));
    if (next === undefined) {
      const viewOf = (list: List) => asked[list].map((it) => given.get(`${list} ${it}`) ?? '');
      const views = { pod: viewOf('pod'), external: viewOf('external') };
      const isNew = JSON.stringify(stored.answered?.views) !== JSON.stringify(views);
      // A change of only the generation is never written.
      if (!isNew) return;
      stored.answered = { views, generation };
      delete stored.shown;
      return;
    }
    const answer = this.#ipam.acquire(prefixOf(next.split(' ')[1] ?? ''));
    if (!answer.ok) throw new Error(`the IPAM refuses ${next} of ${id}`);
    given.set(next, printPrefix(answer.prefix));
    this.#ask(id);
  }
}
