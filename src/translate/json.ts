import type { DocumentNode } from '../source/document-node.ts';

/** What an object of Kubernetes is made of. Members that are `undefined` are left out. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined };

export type JsonMap = { readonly [key: string]: Json | undefined };

export function jsonOf(node: DocumentNode): Json {
  switch (node.kind) {
    case 'scalar':
      return node.value;
    case 'list':
      return node.items.map(jsonOf);
    case 'map':
      // `Object.fromEntries` makes an own key of `__proto__`, too.
      return Object.fromEntries([...node.entries].map(([key, { value }]) => [key, jsonOf(value)]));
  }
}
