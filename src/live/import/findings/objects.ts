import { groupBy } from '../../../base/core/collections.ts';
import { countOf, someOf } from '../../../base/core/words.ts';
import { TENANT_NAMESPACE_LABEL } from '../../../base/releases/labels.ts';
import type { Place } from '../../dumps/kubernetes-object.ts';
import type { LiveEnd } from '../../facts/links.ts';
import { gatewayKind } from '../../facts/peer.ts';
import { endsOf, type Finding, type FindingRule, objectText, shown } from '../finding.ts';

/** For each peer Liqo wants one namespace, Configuration, gateway and key: of two, either none works or each in turn. */
export const oneObjectOfEach: FindingRule = function* (live) {
  for (const end of endsOf(live)) {
    for (const { what, objects, kept } of severalOf(end)) {
      yield {
        code: 'import/several-objects',
        cluster: end.cluster,
        message: `"${end.cluster}" has ${objects.length} ${what} for "${end.remote}", and Liqo needs exactly one: ${someOf(objects, 3)}`,
        hint:
          what === NAMESPACES
            ? `remove the label "${TENANT_NAMESPACE_LABEL}" from those that are not in use, then import again`
            : kept === null
              ? 'delete those that are not in use, then import again'
              : `delete those that are not in use; the topology describes ${kept}`,
      };
    }
  }
};

const NAMESPACES = 'tenant namespaces';

interface Several {
  readonly what: string;
  readonly objects: readonly string[];
  /** The one that the topology describes. */
  readonly kept: string | null;
}

function* severalOf({ peer, configuration, gateway }: LiveEnd): Iterable<Several> {
  if (peer === null) return;
  const texts = (kind: string, of: readonly Place[]): readonly string[] => of.map((it) => objectText(kind, it));
  const lists: readonly Several[] = [
    { what: NAMESPACES, objects: peer.namespaces.map((it) => `Namespace ${shown(it)}`), kept: null },
    {
      what: 'Configurations',
      objects: texts('Configuration', peer.configurations),
      kept: configuration && objectText('Configuration', configuration),
    },
    {
      what: 'gateways',
      objects: peer.gateways.map((it) => objectText(gatewayKind(it.role), it)),
      kept: gateway && objectText(gatewayKind(gateway.role), gateway),
    },
    // Gateways read the keys of their own namespace alone.
    ...inOneNamespace(peer.publicKeys).map((it) => ({
      what: 'PublicKeys',
      objects: texts('PublicKey', it),
      kept: null,
    })),
    ...inOneNamespace(peer.keySecrets).map((it) => ({
      what: 'Secrets with keys',
      objects: texts('Secret', it),
      kept: null,
    })),
  ];
  yield* lists.filter((it) => it.objects.length > 1);
}

const inOneNamespace = (places: readonly Place[]): readonly (readonly Place[])[] => [
  ...groupBy(places, (it) => [it.namespace]).values(),
];

/** Objects that another tool applies would be changed by two. */
export const othersKeepNoObject: FindingRule = function* ({ clusters }) {
  for (const { cluster, kept } of clusters.values()) {
    for (const objects of groupBy(kept, (it) => [`${it.tool} ${it.group ?? ''}`]).values()) {
      const [first] = objects;
      if (first === undefined) continue;
      const group = first.group === null ? '' : ` "${shown(first.group)}"`;
      const which = `${countOf(objects.length, 'object')} of "${cluster}", for instance ${objectText(first.kind, first)}`;
      yield {
        cluster,
        ...(isGitOps(first.tool) ? ofGitOps(first.tool, group, which) : ofOther(first.tool, group, which)),
      };
    }
  }
};

const isGitOps = (tool: string): boolean => tool === 'Argo CD' || tool === 'Flux';

type Texts = Omit<Finding, 'cluster'>;

const ofGitOps = (tool: string, group: string, which: string): Texts => ({
  code: 'import/kept-by-gitops',
  message: `${tool}${group} applies ${which}`,
  hint: `turn pruning of ${tool}${group} off before these objects leave it, so that they are not deleted when the bundle takes them over`,
});

const ofOther = (tool: string, group: string, which: string): Texts => ({
  code: 'import/kept-by-another-tool',
  message: `${shown(tool)}${group} keeps ${which}`,
  hint: 'take these objects out of it before the bundle is applied: two tools would change them in turn',
});
