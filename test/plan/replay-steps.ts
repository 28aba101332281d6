import { stepGroups, type TypedStep } from '../../src/answers/report/plan/plan-steps.ts';
import type { Compiled, RelockTarget } from '../../src/compile.ts';
import type { Change } from '../../src/plan/change.ts';
import type { DifferenceKind } from '../../src/plan/difference.ts';
import type { Plan } from '../../src/plan/plan-changes.ts';
import type { LiveNetworks, Side } from './live-networks.ts';

type StepName = TypedStep['step'];

/** The effect of a step on the networks of a running fleet. */
type Act = (step: TypedStep, replay: Replay) => void;

/** A step that no IPAM notices. */
const NOTHING: Act = () => undefined;

const about = <K extends DifferenceKind>(step: TypedStep, ...kinds: readonly K[]): Extract<Change, { kind: K }> => {
  if (!('change' in step) || !(kinds as readonly string[]).includes(step.change.kind))
    throw new Error(`${step.step} is no step of ${kinds.join(' or ')}`);
  return step.change as Extract<Change, { kind: K }>;
};

/** Each step of every kind of change has an entry, so that a new one is thought about. */
const ACTS: Readonly<Record<StepName, Act>> = {
  'install-liqo': (it, { live, commit }) => live.install(commit, about(it, 'cluster-added').cluster),
  'check-the-installation': (it, { live, commit }) => live.install(commit, about(it, 'cluster-returned').cluster),
  'reinstall-under-new-id': (it, { live, commit }) => {
    const { from, cluster } = about(it, 'cluster-renamed');
    live.uninstall(from);
    live.install(commit, cluster);
  },
  'reinstall-with-new-values': (it, { live, commit }) => live.install(commit, about(it, 'own-cidr-changed').cluster),
  'upgrade-and-restart': (it, { live, commit }) => live.upgradeChart(commit, about(it, 'own-cidr-changed').cluster),
  'upgrade-liqo': (it, replay) => {
    const { cluster } = about(it, 'release-changed');
    const { release } = replay.commit.model.clusters.get(cluster) ?? {};
    if (release !== undefined) replay.live.upgradeLiqo(cluster, release.line);
    replay.live.upgradeChart(replay.commit, cluster);
  },
  relock: (it, replay) =>
    replay.decideAgain([{ cluster: about(it, 'cluster-renamed', 'own-cidr-changed').cluster, peer: null }]),
  'remove-the-old-objects-first': (it, replay) => {
    const change = about(it, 'cluster-renamed', 'names-changed');
    replay.delete(
      change.kind === 'names-changed' ? [change] : change.peers.map((cluster) => ({ cluster, peer: change.from })),
    );
  },
  'delete-before-applying': (it, replay) => {
    const change = about(it, 'view-moved', 'announced-changed', 'link-removed');
    if (change.kind !== 'link-removed') return replay.delete([change]);
    const [a, b] = change.link.ends;
    replay.delete([
      { cluster: a, peer: b },
      { cluster: b, peer: a },
    ]);
  },
  'compare-views': (it, { compared }) => {
    const change = about(it, 'cluster-renamed', 'names-changed', 'view-moved', 'announced-changed', 'link-added');
    if (change.kind === 'link-added') compared.push(...change.link.sides.values());
    else
      compared.push(
        ...(change.kind === 'cluster-renamed'
          ? change.peers.map((cluster) => ({ cluster, peer: change.cluster }))
          : [change]),
      );
  },
  'compare-views-that-may-move': (it, { compared, moving }) => {
    const { cluster, mayMove } = about(it, 'release-changed');
    const sides = mayMove.map(({ peer }) => ({ cluster, peer }));
    compared.push(...sides);
    moving.push(...sides);
  },
  'add-before-removing': NOTHING,
  'add-in-a-change-before': NOTHING,
  'add-the-new-slice-before': NOTHING,
  'apply-alerts': NOTHING,
  'apply-before-pruning': NOTHING,
  'apply-by-hand': NOTHING,
  'apply-server-first': NOTHING,
  dial: NOTHING,
  'check-the-prober': NOTHING,
  'apply-the-bundle': NOTHING,
  'apply-the-consumer-first': NOTHING,
  'apply-these-once-more': NOTHING,
  'apply-entry-points-again': NOTHING,
  'ask-for-the-reason': NOTHING,
  'ask-who-relies-on-it': NOTHING,
  'check-the-api-server': NOTHING,
  'check-the-destination': NOTHING,
  'check-the-images': NOTHING,
  'check-the-key': NOTHING,
  'check-the-permissions': NOTHING,
  'check-the-source': NOTHING,
  'check-the-template': NOTHING,
  'compare-with-live': NOTHING,
  'check-namespace': NOTHING,
  'check-new-address': NOTHING,
  'check-policies': NOTHING,
  'check-the-endpoint': NOTHING,
  'check-the-role-binding': NOTHING,
  'check-the-store': NOTHING,
  'check-what-applies-the-bundles': NOTHING,
  'collect-identities': NOTHING,
  'collect-identity': NOTHING,
  'collect-keys': NOTHING,
  'collect-keys-again': NOTHING,
  'collect-the-key': NOTHING,
  'compare-all-views': NOTHING,
  'create-the-pods-again': NOTHING,
  'declare-a-rename': NOTHING,
  'delete-old-namespaces': NOTHING,
  'delete-stored-certificate': NOTHING,
  'delete-stored-certificates': NOTHING,
  'delete-tenant-namespaces': NOTHING,
  'delete-the-account': NOTHING,
  'delete-the-application': NOTHING,
  'delete-the-former-secret': NOTHING,
  'delete-the-old-namespace': NOTHING,
  'delete-the-service': NOTHING,
  'delete-what-applied-it': NOTHING,
  'delete-what-stays': NOTHING,
  'downgrade-liqo': NOTHING,
  'empty-the-network': NOTHING,
  'end-sharing-first': NOTHING,
  'end-the-loan-before': NOTHING,
  'expect-a-late-restart': NOTHING,
  'generate-keys': NOTHING,
  'in-batches': NOTHING,
  'prove-with-drift': NOTHING,
  'keep-one-secret': NOTHING,
  'keep-the-identities': NOTHING,
  'keep-the-kubeconfig': NOTHING,
  'look-at-the-difference': NOTHING,
  'look-for-refused': NOTHING,
  'look-for-policies': NOTHING,
  'namespaces-first': NOTHING,
  'empty-the-fence': NOTHING,
  'make-another-slice': NOTHING,
  'make-before-break': NOTHING,
  'make-the-slice-again': NOTHING,
  'nonce-before-tenant': NOTHING,
  'fill-the-store': NOTHING,
  'forward-port': NOTHING,
  'next-secret-is-there': NOTHING,
  'open-port': NOTHING,
  'pause-the-application': NOTHING,
  'provide-kubeconfig': NOTHING,
  'provide-secrets': NOTHING,
  'provide-secrets-again': NOTHING,
  'provide-the-key': NOTHING,
  'provide-the-secret': NOTHING,
  'prune-gateways-first': NOTHING,
  'register-in-argo': NOTHING,
  'register-in-flux': NOTHING,
  'register-under-the-new-name': NOTHING,
  'remove-entry-once-pruned': NOTHING,
  'remove-it-by-hand': NOTHING,
  'remove-leavers-before': NOTHING,
  'remove-liqos-secrets': NOTHING,
  'remove-old-requests': NOTHING,
  'remove-the-former-name': NOTHING,
  'remove-the-kubeconfig': NOTHING,
  'replace-gateways': NOTHING,
  'replace-secret': NOTHING,
  'replace-the-key': NOTHING,
  'replace-the-kubeconfig': NOTHING,
  'restart-virtual-kubelets': NOTHING,
  'restore-key': NOTHING,
  'restore-the-identity': NOTHING,
  'restore-the-key': NOTHING,
  'retire-cluster-first': NOTHING,
  'save-the-volumes': NOTHING,
  'stop-using-its-addresses': NOTHING,
  'stop-using-the-network': NOTHING,
  'suspend-kustomizations': NOTHING,
  'take-the-label-off': NOTHING,
  'take-the-mark-off': NOTHING,
  'then-apply-the-provider': NOTHING,
  'upgrade-chart': NOTHING,
  'upgrade-crds': NOTHING,
  'use-the-network': NOTHING,
  'wait-for-every-view': NOTHING,
  'wait-for-the-namespaces': NOTHING,
  'wait-for-the-new-view': NOTHING,
  'withdraw-in-a-change-before': NOTHING,
};

export interface ReplayTools {
  readonly live: LiveNetworks;
  /** Compiles the topology and the lock of the change again. */
  readonly compileAgain: (relock: readonly RelockTarget[]) => Compiled;
}

/** Carries out the steps of a plan, in the order in which it prints them. */
export class Replay {
  readonly live: LiveNetworks;
  /** The merged topology. */
  commit: Compiled;
  /** Views that must be compared with the promised ones according to the plan. */
  readonly compared: Side[] = [];
  /** Those of them that cannot be predicted. */
  readonly moving: Side[] = [];
  /** Configurations that were deleted, under the names of before. */
  readonly deleted: Side[] = [];
  readonly relock: RelockTarget[] = [];
  readonly #tools: ReplayTools;
  #deletes = true;

  constructor(commit: Compiled, tools: ReplayTools) {
    this.live = tools.live;
    this.commit = commit;
    this.#tools = tools;
  }

  run(plan: Plan): void {
    const groups = stepGroups(plan);
    const act = (isWanted: (it: (typeof groups)[number]) => boolean): void => {
      for (const { steps } of groups.filter(isWanted)) for (const it of steps) ACTS[it.step](it, this);
    };
    act(({ when }) => when !== 'after');
    this.live.sync(this.commit);
    act(({ when }) => when === 'after');
    for (const it of plan.changes) if (it.kind === 'cluster-removed') this.live.uninstall(it.cluster);
  }

  /** Installation settings, without effect on the views of others. */
  runWithoutDeleting(plan: Plan): void {
    this.#deletes = false;
    this.run(plan);
  }

  delete(sides: readonly Side[]): void {
    if (!this.#deletes) return;
    this.deleted.push(...sides.map(({ cluster, peer }) => ({ cluster, peer })));
    this.live.deleteConfigurations(sides);
  }

  decideAgain(targets: readonly RelockTarget[]): void {
    this.relock.push(...targets);
    this.commit = this.#tools.compileAgain(this.relock);
  }
}
