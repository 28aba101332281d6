import { groupBy } from '../../../base/core/group-by.ts';
import { someOf } from '../../../base/core/words.ts';
import { TENANT_NAMESPACE_LABEL } from '../../../base/releases/labels.ts';
import type { Place } from '../../observed/observed-cluster.ts';
import type { LiveEnd } from '../live-link.ts';
import { endsOf, type FindingRule } from './finding-rule.ts';
import { gatewayKind, objectText, shown } from './words.ts';

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
