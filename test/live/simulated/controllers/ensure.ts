import type { ApiServer } from '../api-server.ts';
import type { SimulatedObject } from '../objects.ts';

/** Makes an object as it is wanted, or brings what is there into line; what is not mentioned stays. */
export function ensure(server: ApiServer, wanted: SimulatedObject): SimulatedObject {
  const { name, namespace, ownerReferences, finalizers } = wanted.metadata;
  const found = server.get(wanted.kind, name, namespace);
  if (found === undefined) return server.create(wanted);
  return server.update(found, (it) => {
    if (wanted.metadata.labels !== undefined) it.metadata.labels = { ...it.metadata.labels, ...wanted.metadata.labels };
    if (ownerReferences !== undefined) it.metadata.ownerReferences = ownerReferences;
    if (finalizers !== undefined) it.metadata.finalizers = finalizers;
    if (wanted.spec !== undefined) it.spec = wanted.spec;
  });
}
