import { printAddress, printPrefix } from '../../../src/base/net/text.ts';
import type { Compiled } from '../../../src/compile.ts';
import type { LabPlan, Route } from '../../../src/reach/lab/lab-plan.ts';
import { gatewayNamespace, labScope, NODES, nodeNamespace } from '../../../src/reach/lab/lab-scope.ts';
import { planLab } from '../../../src/reach/lab/plan-lab.ts';
import type { LiveCluster } from './recordings.ts';

/** Destinations of a RouteConfiguration that only views decide; the addresses of nodes, pods and gateways come from run time. */
export interface Routes {
  /** `<C>-gw-ext`: what a gateway sends into its tunnel, as `10.0.0.0/16 via 169.254.18.1`. */
  readonly intoTunnel: ReadonlySet<string>;
  /** `<R>-node-gw`: what a node sends to the gateway. */
  readonly toGateway: ReadonlySet<string>;
}

interface RouteSpec {
  readonly table: {
    readonly rules: readonly {
      readonly dst?: string;
      readonly iif?: string;
      readonly routes: readonly { readonly dst: string; readonly gw?: string; readonly scope?: string }[];
    }[];
  };
}

const rulesOf = ({ objects }: LiveCluster, key: string): RouteSpec['table']['rules'] =>
  (objects.get(key)?.spec as RouteSpec | undefined)?.table.rules ?? [];

export function liveRoutes(cluster: LiveCluster, peer: string): Routes {
  const of = (name: string) =>
    rulesOf(cluster, `RouteConfiguration liqo-tenant-${peer}/${name}`).flatMap((it) => it.routes);
  return {
    intoTunnel: new Set(of(`${peer}-gw-ext`).map((it) => `${it.dst} via ${it.gw}`)),
    toGateway: new Set(of(`${peer}-node-gw`).flatMap((it) => (it.scope === 'link' ? [] : [it.dst]))),
  };
}

/** `<node>-extcidr`: the views of pods that every gateway sends on to the nodes, the same for each node. */
export function liveTransit(cluster: LiveCluster): readonly ReadonlySet<string>[] {
  return [...cluster.objects.keys()]
    .filter((it) => /^RouteConfiguration \S+-extcidr$/.test(it))
    .map((it) => new Set(rulesOf(cluster, it).flatMap(({ dst }) => dst ?? [])));
}

const plans = new WeakMap<Compiled, LabPlan>();

function planOf(compiled: Compiled): LabPlan {
  const plan = plans.get(compiled) ?? planLab(labScope(compiled.model, []));
  plans.set(compiled, plan);
  return plan;
}

const routesIn = (compiled: Compiled, namespace: string): readonly Route[] =>
  planOf(compiled).namespaces.find((it) => it.name === namespace)?.routes ?? [];

/** The routes that the lab builds for the same fleet. */
export function labRoutes(compiled: Compiled, cluster: string, peer: string): Routes {
  const gateway = routesIn(compiled, gatewayNamespace(cluster, peer));
  const index = [...(compiled.model.clusters.get(cluster)?.peers.keys() ?? [])].indexOf(peer);
  const node = routesIn(compiled, nodeNamespace(cluster, NODES[0]));
  return {
    intoTunnel: new Set(
      gateway
        .filter((it) => it.device === 'liqo-tunnel')
        .map((it) => `${printPrefix(it.to)} via ${printAddress(it.via ?? 0)}`),
    ),
    toGateway: new Set(
      node.filter((it) => it.device === `liqo.gw${index}` && it.via !== null).map((it) => printPrefix(it.to)),
    ),
  };
}
