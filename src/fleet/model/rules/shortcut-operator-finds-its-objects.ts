import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { LinkDeclaration, NamesDeclaration } from '../../topology/declaration.ts';
import { nameObjects } from '../name-objects.ts';
import type { ObjectNames } from '../network-model.ts';
import type { ModelRule } from '../resolved-links.ts';

type Kind = Exclude<keyof ObjectNames, 'secret'>;

/** The operator connects both ends of a shortcut with the library of liqoctl, and reads the result there. */
const OF_SHORTCUTS: readonly Kind[] = ['namespace', 'configuration', 'gateway', 'publicKey'];

/** In a hub it takes kubeconfigs, and the fork the ID of a leaf, from tenant namespaces. */
const OF_HUBS: readonly Kind[] = ['namespace'];

/**
 * The shortcut operator and the fork find objects by the names that liqoctl gives: at both ends of a shortcut, and in its
 * hubs those of the namespaces for both ends.
 * Source: Gabbe64/foreign_cluster_connector@5fa34ef internal/controller, Gabbe64/liqo@b83d06f2 pkg/utils/virtualkubelet.
 */
export const shortcutOperatorFindsItsObjects: ModelRule = function* ({ declaration, served }) {
  if (!declaration.shortcutOperator.value) return;
  const shortcuts = served.filter((it) => it.link.kind === 'shortcut');
  const leaves = new Set(
    shortcuts.flatMap(({ link }) => link.commonHubs.flatMap((hub) => link.ends.map((end) => `${hub} ${end.name}`))),
  );
  for (const { link, server, client } of served) {
    if (link.options === null) continue;
    for (const [{ name: cluster }, { name: peer }] of [
      [server, client],
      [client, server],
    ] as const) {
      const isOfHub = leaves.has(`${cluster} ${peer}`);
      const kinds = link.kind === 'shortcut' ? OF_SHORTCUTS : isOfHub ? OF_HUBS : [];
      for (const kind of kinds) yield* notFound(link.options, { cluster, peer, kind });
    }
  }
};

interface NamedObject {
  readonly cluster: string;
  readonly peer: string;
  readonly kind: Kind;
}

function* notFound(options: LinkDeclaration, { cluster, peer, kind }: NamedObject): Iterable<Diagnostic> {
  const listed: NamesDeclaration | undefined = options.names.find((it) => it.cluster.value === cluster);
  const written = listed?.[kind];
  const usual = nameObjects({ cluster, peer, options: null, secretName: '' })[kind];
  if (!written || written.value === usual) return;
  yield diagnostic(
    'link/shortcut-operator-names',
    written.at,
    `the shortcut operator looks for "${usual}" in "${cluster}", and \`names.${kind}\` for "${peer}" is "${written.value}"`,
    { hint: `remove \`${kind}\`, or set \`liqo.shortcutOperator: false\`` },
  );
}
