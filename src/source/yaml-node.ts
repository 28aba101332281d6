// Former names, for verify/ until it is rewritten.
export type {
  DocumentEntry as YamlEntry,
  DocumentMap as YamlMap,
  DocumentNode as YamlNode,
  DocumentPath as YamlPath,
} from './document-node.ts';
export { keySpanAt, nodeAt, spanAt } from './document-node.ts';
