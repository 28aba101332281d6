import type { AddressedModel } from '../../fleet/ipam/addressed-model.ts';

interface KeyOwner {
  readonly of: string;
  readonly towards: string;
}

const known = new WeakMap<AddressedModel, ReadonlyMap<string, KeyOwner>>();

/** Whose gateway has a public key in git; found once for each model. */
export function keyOwners(model: AddressedModel): ReadonlyMap<string, KeyOwner> {
  const old = known.get(model);
  if (old !== undefined) return old;
  const owners = new Map(
    model.links.flatMap(({ server, client }) =>
      [
        { end: server, other: client },
        { end: client, other: server },
      ].flatMap(({ end, other }) =>
        end.publicKey === null ? [] : [[end.publicKey, { of: end.cluster.name, towards: other.cluster.name }] as const],
      ),
    ),
  );
  known.set(model, owners);
  return owners;
}
