import { quoted } from '../../base/core/words.ts';
import type { DocumentNode } from '../../base/source/document-node.ts';
import { readYamlDocuments } from '../../base/source/read-yaml-documents.ts';
import { Reading, type Unchecked } from '../../base/source/reading.ts';
import { kubeObject } from '../verify/kube-object.ts';

/** Characters. A generated file of objects is far smaller, and a parser takes long for megabytes. */
const LARGEST = 1 << 20;

/** The objects of a file, as `ClusterRoleBinding "admin"` or `a Kustomization without a name`; none in a file that contains something else. */
export function objectsIn(text: string): readonly string[] {
  return documentsIn(text).flatMap((it) => {
    const object = kubeObject(it);
    if (object === undefined) return [];
    return [object.name === '' ? `a ${object.kind} without a name` : `${object.kind} ${quoted(object.name)}`];
  });
}

/** The paths that a kustomization names anywhere, as it writes them. */
export function pathsNamedIn(text: string): readonly string[] {
  return documentsIn(text).flatMap(scalarsIn);
}

function documentsIn(text: string): readonly DocumentNode[] {
  if (text.length > LARGEST) return [];
  const reading = readYamlDocuments({ path: '', text });
  return reading.ok ? reading.documents : [];
}

function scalarsIn(node: DocumentNode): readonly string[] {
  if (node.kind === 'list') return node.items.flatMap(scalarsIn);
  if (node.kind === 'map') return [...node.entries.values()].flatMap((it) => scalarsIn(it.value));
  const text = Reading.of<Unchecked>(node).scalar()?.value;
  return typeof text === 'string' ? [text] : [];
}
