import { addAll } from '../../base/core/collections.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { DocumentMap, DocumentNode } from '../../base/source/document-node.ts';
import { readYamlStream } from '../../base/source/read-yaml-documents.ts';
import type { Source } from '../../base/source/source.ts';
import { hiddenText } from '../dumps/live-diagnostics.ts';
import {
  type InventoryCluster,
  type InventoryReading,
  type ShownText,
  shownText,
  unreadableInventory,
} from './inventory.ts';
import { looksLikeCsv, readCsv } from './read-csv.ts';
import { objectReader } from './read-objects.ts';
import { readTerraform } from './read-terraform.ts';

/**
 * Reads the clusters of an inventory: objects of Cluster API and Secrets of Argo CD, as kubectl prints them or as they are
 * in git; outputs of Terraform; or CSV. No value that is not asked for is kept or shown.
 */
export function readInventory(source: Source): InventoryReading {
  if (/\.(csv|tsv)$/i.test(source.path) || looksLikeCsv(source.text)) return readCsv(source);
  const isList = /^\s*\[/.test(source.text);
  const opening = isList ? LIST_START : '';
  const text = shownText(source, hiddenText, opening.length);
  const { roots, problems } = readYamlStream(
    isList ? { path: source.path, text: `${opening}${source.text.trimEnd()}}` } : source,
  );
  const [problem] = problems;
  if (problem !== undefined) {
    const { span, kind } = problem;
    const why = kind === 'merge-conflict' ? problem.message : 'it is neither CSV, nor JSON or YAML from here on';
    return { clusters: [], found: [unreadableInventory(text.hidden(span.start, span.end), why)] };
  }
  const clusters: InventoryCluster[] = [];
  const found: Diagnostic[] = [];
  for (const root of roots) readRoot(root, { text, clusters, found });
  return { clusters, found };
}

/** A list alone is read as a value of Terraform, or as a list of objects. */
const LIST_START = '{"items":';

interface Reader {
  readonly text: ShownText;
  readonly clusters: InventoryCluster[];
  readonly found: Diagnostic[];
}

function readRoot(root: DocumentNode, reader: Reader): void {
  if (root.kind !== 'map') return;
  const read = objectReader(root);
  if (read !== undefined) {
    const cluster = read({ root, text: reader.text }, (it) => reader.found.push(it));
    if (cluster !== undefined) reader.clusters.push(cluster);
    return;
  }
  if (root.entries.has('kind')) {
    readItems(root, reader);
    return;
  }
  const outputs = readTerraform(root, reader.text);
  addAll(reader.clusters, outputs);
  if (outputs.length === 0) readItems(root, reader);
}

function readItems(root: DocumentMap, reader: Reader): void {
  const items = root.entries.get('items')?.value;
  if (items?.kind === 'list') for (const it of items.items) readRoot(it, reader);
}
