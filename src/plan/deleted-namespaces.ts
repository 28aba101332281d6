import type { RemoteNamespace } from './difference.ts';

/** Some kinds of change have such a list. */
interface MayDelete {
  readonly kind: string;
  readonly deleted?: readonly RemoteNamespace[];
}

/** The namespaces of providers that go with everything in them, volumes too. */
export const namespacesDeletedBy = ({ deleted = [] }: MayDelete): readonly RemoteNamespace[] => deleted;

export const deletedNamespaces = (changes: readonly MayDelete[]): readonly RemoteNamespace[] =>
  changes.flatMap(namespacesDeletedBy);
