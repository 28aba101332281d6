import { type DocumentMap, nodeAt } from '../../base/source/document-node.ts';
import { editYaml } from '../../base/source/edit-yaml.ts';
import { render } from '../../base/text/render.ts';
import type { WrittenYaml } from './update-clusters.ts';

/**
 * The entry of `include` for the clusters of an inventory: `inventory/topology.clusters.yaml`. It is in a folder, because a file
 * beside a topology is another topology.
 */
export const includedEntry = (stem: string): string =>
  `inventory/${stem.replace(/[^A-Za-z0-9_.-]/g, '-').replace(/^[^A-Za-z0-9_]/, '_')}.clusters.yaml`;

/** The text of a topology that includes a file, by its name or with its folder; null if it does already. */
export function withInclude({ source, root }: WrittenYaml, entry: string): string | null {
  const list = nodeAt(root, ['include']);
  const entries = list?.kind === 'list' ? list.items.flatMap((it) => (it.kind === 'scalar' ? [it.value] : [])) : [];
  if (entries.includes(entry) || entries.includes(`${entry.split('/')[0]}/`)) return null;
  return editYaml({ text: source.text, root }, [
    root.entries.has('include')
      ? { kind: 'append', path: ['include'], value: entry }
      : { kind: 'add', path: [], keys: [{ key: 'include', value: `[${entry}]` }], after: lastOfHead(root) },
  ]);
}

const lastOfHead = (root: DocumentMap): string => (root.entries.has('name') ? 'name' : 'version');

interface Starter {
  readonly name: string;
  readonly entry: string;
  /** The path of the schema for editors; null without one. */
  readonly schema: string | null;
}

/** A topology for the clusters of an inventory. */
export const starterTopology = ({ name, entry, schema }: Starter): string =>
  render('inventory/topology', { name, entry, modeline: schema === null ? '' : MODELINE + schema });

const MODELINE = '# yaml-language-server: $schema=';
