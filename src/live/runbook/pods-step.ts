import { COMPONENT_LABEL, GATEWAY_ACTIVE_LABEL } from '../../base/releases/labels.ts';
import type { LinkEnd } from './link-end.ts';
import type { RunbookStep } from './runbook.ts';

/** Whether the gateways run. */
export const podsStep = (ends: readonly LinkEnd[]): RunbookStep => ({
  id: 'pods',
  title: 'The pods of the gateways',
  checks: ends.map(({ name, kubectl, gateway, cluster }) => {
    const { replicas } = cluster.gateway;
    return {
      cluster: name,
      command: kubectl(`get pods -l ${COMPONENT_LABEL}=gateway -o wide --show-labels`),
      expect: [
        { what: `pods of ${gateway}, Running with 3/3 containers`, value: String(replicas) },
        ...(replicas > 1 ? [{ what: `one of them with ${GATEWAY_ACTIVE_LABEL}`, value: 'true' }] : []),
      ],
    };
  }),
  outcomes: [
    {
      when: 'there is no pod, or it waits',
      next: ends
        .map(({ kubectl, names }) => kubectl(`get secret ${names.secret} --show-labels`))
        .join(' and ')
        .concat(': the Secret needs both labels of a gateway, and there may be one only'),
    },
    {
      when: 'a container restarts',
      next: ends
        .map(({ kubectl, gateway }) => kubectl(`logs deployment/${gateway} --all-containers --since=10m`))
        .join('; '),
    },
  ],
});
