import { bug } from '../diagnostics/bug.ts';
import type { Action, Change, Difference, PlanStep } from './change.ts';
import { changeId } from './change-id.ts';
import { flowsOf, type Surroundings } from './flows-of.ts';

export interface JudgeContext extends Surroundings {
  /** Whether the Liqo that runs in a cluster now replaces a Network whose CIDR changes. */
  readonly replacesChangedNetworks: (cluster: string) => boolean;
}

interface Verdict {
  readonly action: Action;
  readonly disruptive: boolean;
  readonly why: string;
  readonly steps?: readonly PlanStep[];
}

/** What a difference means for a fleet that is running. Facts: Liqo 1.0 to 1.2, see the comments beside the clauses. */
export function judgeDifference(difference: Difference, context: JudgeContext): Change {
  const { steps = [], ...verdict } = verdictOn(difference, context);
  const clusters = [...new Set(clustersOf(difference))].sort((a, b) => (a < b ? -1 : 1));
  return { ...difference, ...verdict, id: changeId(difference), steps, clusters, flows: flowsOf(difference, context) };
}

function verdictOn(it: Difference, context: JudgeContext): Verdict {
  switch (it.kind) {
    case 'cluster-added':
      return harmless('add', 'nothing runs over it yet');
    case 'cluster-removed':
      return it.wasRetired
        ? harmless('remove', 'it was retired and has no links any more')
        : breaks('remove', 'its folder goes, so what it holds is deleted where its GitOps tool still looks', [
            before('retire it first (`retired: true`): its own tool then removes what it holds', it.cluster),
          ]);
    case 'cluster-renamed':
      return breaks(
        'change',
        'a cluster ID cannot change after the installation of Liqo: all its links are made anew',
        [before('reinstall Liqo under the new cluster ID', `${it.from} as ${it.cluster}`)],
      );
    case 'cluster-retired':
      return breaks('remove', 'its bundle becomes empty and its peers drop it', [
        after('take the entry out of the topology once its tool has pruned everything', it.cluster),
      ]);
    case 'cluster-returned':
      return harmless('add', 'it had no links');
    case 'link-added':
      return it.link.kind === 'shortcut'
        ? harmless('add', 'flows through the hub go on; new ones may take the direct way, and show another source')
        : harmless('add', 'nothing runs over it yet');
    case 'link-removed':
      return breaks('remove', 'the tunnel goes, and with it every flow over it', pruneSteps(it.link.ends));
    case 'link-kind-changed':
      return harmless('change', 'the tunnel stays as it is; only the reason for it is another');
    case 'role-changed':
      // The two kinds of gateway have one name; a new one beside the old is two for one remote ID.
      return breaks('change', 'server and client swap: both gateways have to go before the new ones come', [
        together(
          'delete the old gateways at both ends, then let the GitOps tools make the new ones',
          it.ends.join(' and '),
        ),
      ]);
    case 'port-changed':
      return breaks(
        'change',
        'the Service and the gateway pod of the server restart, and the client dials a port that nobody hears until both ends are applied',
        [together('apply both ends at the same time', it.ends.join(' and '))],
      );
    case 'address-changed':
      return breaks('change', "the client's gateway restarts and dials another address", [
        before('make sure that the new address answers', `${it.to} for ${it.client}`),
      ]);
    case 'service-changed':
      return breaks('change', "the server's Service is made in another way, and its address may change with it", [
        together('apply both ends at the same time', it.ends.join(' and ')),
      ]);
    case 'mtu-changed':
      return breaks(
        'change',
        'the gateway pods of both ends restart, and while the ends differ large packets are lost',
        [together('apply both ends at the same time', it.ends.join(' and '))],
      );
    case 'template-changed':
      return breaks('change', 'the gateway is made from another template: its pods restart', [
        together(
          'expect it late: Liqo looks at templates when it reconciles the gateway',
          `${it.cluster} towards ${it.peer}`,
        ),
      ]);
    case 'template-edited':
      return verdictOnTemplate(it.action);
    case 'view-moved':
      return breaks(
        'change',
        'live flows to the old addresses break, and what was allowed or cached by address is wrong',
        viewSteps(it, context),
      );
    case 'announced-changed':
      return context.replacesChangedNetworks(it.cluster)
        ? breaks(
            'change',
            'Liqo 1.2 replaces the Network: until the new one is ready the old addresses still stand in the status',
          )
        : breaks(
            'change',
            'before 1.2 the Network of a live Configuration is immutable: the old view stays and its NAT is wrong until the Configuration is made anew',
            [recreate(it)],
          );
    case 'history-changed':
      return it.to
        ? harmless('change', 'the lock keeps it; a rebuild of the cluster would choose another')
        : harmless('change', 'a rebuild of the cluster would give it again');
    case 'block-carved':
      return harmless('add', 'a block that nobody else in the fleet uses');
    case 'block-returned':
      return harmless('remove', 'it is free for others again');
    case 'own-cidr-changed':
      return breaks('change', 'a running Liqo cannot change its own networks', [
        before('reinstall Liqo with the new helm-values.yaml, and move what runs in the old network', it.cluster),
      ]);
    case 'key-added':
      return harmless('add', 'the tunnel had no key and could not come up');
    case 'key-changed':
      // A changed Secret does not restart the pod; a changed PublicKey replaces the peer at once.
      return breaks(
        'change',
        'the tunnel is down from the moment one end has the new key until the other has it, too',
        [together('replace the Secret and restart the gateway', `${it.cluster} towards ${it.peer}`)],
      );
    case 'key-removed':
      return breaks('remove', 'the peer forgets the key, and the tunnel cannot come up again', [
        before(
          'put the key back into the keys file, unless the tunnel is to stay down',
          `${it.cluster} towards ${it.peer}`,
        ),
      ]);
    case 'reservation-changed':
      return harmless('change', "Liqo's chart has to be upgraded with it; views that had to give way are told apart", [
        before("upgrade Liqo's chart with the new helm-values.yaml", it.cluster),
      ]);
    case 'release-changed':
      return breaks(
        'change',
        'the upgrade of Liqo itself restarts its gateways; the bundle only speaks the new release',
        [before('upgrade Liqo, then apply this', `${it.cluster} to ${it.to}`)],
      );
    case 'order-changed':
      return harmless('change', 'only what is applied first changes; what is there stays');
    case 'setting-changed':
      return verdictOnSetting(it);
    case 'gitops-changed':
      return it.action === 'remove'
        ? breaks('remove', 'without its entry point nothing applies the bundles, and a tool that prunes deletes them', [
            before('make sure that something else applies the bundles, or that nothing is pruned', it.tool),
          ])
        : harmless(it.action, 'entry points say what is applied, not what is in it');
    case 'lock-changed':
      return harmless('change', 'nothing that is applied changes');
    case 'files-changed':
      return breaks(
        'change',
        'no change of the network explains it: an edit by hand, another version of weft, or a setting',
        [before('look at the difference', it.cluster === null ? 'out/' : `${it.cluster}/`)],
      );
    default:
      return bug(`nobody has decided what ${String(it satisfies never)} breaks`);
  }
}

function verdictOnTemplate(action: Action): Verdict {
  switch (action) {
    case 'add':
      return harmless('add', 'it is there before the gateways that name it');
    case 'remove':
      return harmless('remove', 'no gateway names it any more');
    case 'change':
      return breaks('change', 'all gateways made from it restart when Liqo next reconciles them');
  }
}

function verdictOnSetting(it: Extract<Difference, { kind: 'setting-changed' }>): Verdict {
  switch (it.setting) {
    case 'keys.secretName':
      return breaks('change', 'gateways read another Secret, and stay down until it is there', [
        before('provide the Secrets under the new name', it.to),
      ]);
    case 'liqo.namespace':
      return breaks('change', 'gateways look for their templates in another namespace', [
        before('make sure that Liqo runs there', `${it.cluster ?? 'the fleet'}: ${it.to}`),
      ]);
    case 'liqo.shortcutOperator':
      return breaks('change', "whether the fork's operator reads shortcuts decides which way new flows take");
    case 'ipam.pools':
      return harmless('change', 'only what is decided from now on comes from other pools', [
        before("upgrade Liqo's chart with the new helm-values.yaml", it.cluster ?? 'all clusters'),
      ]);
    case 'name':
      return harmless('change', 'a name for people and entry points; no object of Liqo has it');
    default:
      return harmless('change', 'no address, port or role changes with it');
  }
}

const harmless = (action: Action, why: string, steps: readonly PlanStep[] = []): Verdict => ({
  action,
  disruptive: false,
  why,
  steps,
});

const breaks = (action: Action, why: string, steps: readonly PlanStep[] = []): Verdict => ({
  action,
  disruptive: true,
  why,
  steps,
});

const before = (what: string, on: string): PlanStep => ({ when: 'before', what, on });
const together = (what: string, on: string): PlanStep => ({ when: 'together', what, on });
const after = (what: string, on: string): PlanStep => ({ when: 'after', what, on });

/** The tenant namespace is never pruned, and deleting it first leaves finalizers waiting. */
const pruneSteps = (ends: readonly [string, string]): readonly PlanStep[] => [
  together('prune gateways first, then Configurations (the sync waves do that in Argo CD)', ends.join(' and ')),
  after(
    'delete the tenant namespaces, which no tool prunes, when the gateways are gone',
    `liqo-tenant-${ends[1]} in ${ends[0]}, liqo-tenant-${ends[0]} in ${ends[1]}`,
  ),
];

const recreate = ({ cluster, peer }: { readonly cluster: string; readonly peer: string }): PlanStep =>
  after('delete the Configuration and let the GitOps tool make it again', `${peer} in ${cluster}`);

/** The IPAM does not move a Network that it has given; only a new Network is given anew. */
function viewSteps(
  it: Extract<Difference, { kind: 'view-moved' }>,
  { before: was, after: is, replacesChangedNetworks }: JudgeContext,
): readonly PlanStep[] {
  const pair = it.cluster < it.peer ? `${it.cluster}/${it.peer}` : `${it.peer}/${it.cluster}`;
  const announced = (network: typeof was): string | undefined =>
    network.links
      .get(pair)
      ?.sides.get(it.cluster)
      ?.views.filter((view) => view.kind === it.cidr)[it.index]?.cidr;
  const replacedByLiqo = replacesChangedNetworks(it.cluster) && announced(was) !== announced(is);
  return replacedByLiqo ? [] : [recreate(it)];
}

function clustersOf(it: Difference): readonly string[] {
  switch (it.kind) {
    case 'link-added':
    case 'link-removed':
      return it.link.ends;
    case 'cluster-renamed':
      return [it.cluster, ...it.peers];
    case 'gitops-changed':
    case 'lock-changed':
      return [];
    default:
      if ('ends' in it) return it.ends;
      if ('peer' in it) return [it.cluster, it.peer];
      return it.cluster === null ? [] : [it.cluster];
  }
}
