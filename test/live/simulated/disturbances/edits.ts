import { publicKeyFrom } from '../controllers/gateway-keys.ts';
import { type Fields, field, IPAM_API, keyOfObject, REMOTE, type SimulatedObject } from '../objects.ts';
import { asApplied, type Disturbance, edit, endOf, removed } from './disturbance.ts';

/** Manual edits, creations and deletions at one end of a link. */

export const rotateKey: Disturbance = (fleet, target) => {
  const end = endOf(fleet, target);
  const key = objectOf(end.server.list('PublicKey', { [REMOTE]: end.peer }));
  return edit(end, key, (it) => {
    it.spec = { publicKey: publicKeyFrom(`another key of ${end.peer}`) };
  });
};

export const removePublicKey: Disturbance = (fleet, target) => {
  const end = endOf(fleet, target);
  return removed(end, objectOf(end.server.list('PublicKey', { [REMOTE]: end.peer })));
};

export const removeSecret: Disturbance = (fleet, target) => {
  const end = endOf(fleet, target);
  const name = field<string>(end.gateway, 'status', 'secretRef', 'name') ?? '';
  return removed(end, objectOf([end.server.get('Secret', name, end.namespace)]));
};

export const setMtu: Disturbance = (fleet, target) => {
  const end = endOf(fleet, target);
  return edit(end, end.gateway, (it) => {
    it.spec = { ...it.spec, mtu: it.spec?.['mtu'] === 1280 ? 1300 : 1280 };
  });
};

/** The port that clients dial: of the nodes at a server, of the server at a client. */
export const changePort: Disturbance = (fleet, target) => {
  const end = endOf(fleet, target);
  const name = field(end.gateway, 'spec', 'endpoint', 'nodePort') === undefined ? 'port' : 'nodePort';
  return edit(end, end.gateway, (it) => {
    const endpoint = field<Fields>(it, 'spec', 'endpoint');
    it.spec = { ...it.spec, endpoint: { ...endpoint, [name]: endpoint?.[name] === 32_000 ? 32_001 : 32_000 } };
  });
};

/** A second gateway of the same kind, with another name. */
export const addGateway: Disturbance = (fleet, target) => {
  const end = endOf(fleet, target);
  const gateway = asApplied(end.gateway);
  const second: SimulatedObject = { ...gateway, metadata: { ...gateway.metadata, name: `${gateway.metadata.name}-2` } };
  if (second.spec?.['endpoint'] !== undefined) {
    const { nodePort: _, ...endpoint } = second.spec['endpoint'] as Fields;
    second.spec = { ...second.spec, endpoint };
  }
  end.cluster.apply(second);
  end.cluster.rest();
  return [keyOfObject(second)];
};

/** A foreign Network, which takes addresses. */
export const addNetwork: Disturbance = (fleet, target) => {
  const end = endOf(fleet, target);
  const network: SimulatedObject = {
    apiVersion: IPAM_API,
    kind: 'Network',
    metadata: { name: 'added-by-hand', namespace: end.namespace, labels: { [REMOTE]: end.peer } },
    spec: { cidr: '10.111.0.0/16' },
  };
  end.cluster.apply(network);
  end.cluster.rest();
  return [keyOfObject(network)];
};

export const dropLabel: Disturbance = (fleet, target) => {
  const end = endOf(fleet, target);
  return edit(end, end.configuration, (it) => {
    const { [REMOTE]: _, ...labels } = it.metadata.labels ?? {};
    it.metadata.labels = labels;
  });
};

/** The own network of before, which the controller never looks at again. */
export const staleLocal: Disturbance = (fleet, target) => {
  const end = endOf(fleet, target);
  return edit(end, end.configuration, (it) => {
    it.spec = { ...it.spec, local: { cidr: { pod: ['10.9.0.0/16'], external: ['10.19.0.0/16'] } } };
  });
};

/** Another network of the peer than it has. */
export const editRemote: Disturbance = (fleet, target) => {
  const end = endOf(fleet, target);
  return edit(end, end.configuration, (it) => {
    const cidr = { ...field<Fields>(it, 'spec', 'remote', 'cidr'), pod: ['10.123.0.0/16'] };
    it.spec = { ...it.spec, remote: { cidr } };
  });
};

/** A tunnel that fails. */
export const breakConnection: Disturbance = (fleet, target) => {
  const end = endOf(fleet, target);
  return edit(end, objectOf(end.server.list('Connection', { [REMOTE]: end.peer })), (it) => {
    it.status = { ...it.status, value: 'Error' };
  });
};

export const removeConfiguration: Disturbance = (fleet, target) => {
  const end = endOf(fleet, target);
  return removed(end, end.configuration);
};

export const removeGateway: Disturbance = (fleet, target) => {
  const end = endOf(fleet, target);
  return removed(end, end.gateway);
};

function objectOf(found: readonly (SimulatedObject | undefined)[]): SimulatedObject {
  const [first] = found;
  if (first === undefined) throw new Error('there is nothing to disturb');
  return first;
}
