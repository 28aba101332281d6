import { type Fields, field } from '../objects.ts';

/** The API server's default for the ports of containers. */
export function withPortProtocols(spec: Fields): Fields {
  const pod = field<Fields>(spec, 'deployment', 'spec', 'template', 'spec');
  for (const it of field<Fields[]>(pod, 'containers') ?? []) {
    const ports = field<Fields[]>(it, 'ports');
    if (ports !== undefined) it['ports'] = ports.map((one) => ({ protocol: 'TCP', ...one }));
  }
  return spec;
}

/**
 * Defaults that Kubernetes adds to a Deployment. Source: kubernetes/kubernetes@v1.35.0
 * pkg/apis/{apps,core}/v1/defaults.go.
 */
export function defaultedDeployment(spec: Fields): Fields {
  const template = field<{ readonly metadata: Fields; readonly spec: Fields }>(spec, 'template');
  return {
    progressDeadlineSeconds: 600,
    revisionHistoryLimit: 10,
    ...spec,
    template: { ...template, spec: defaultedPod(template?.spec ?? {}) },
  };
}

const defaultedPod = (spec: Fields): Fields => ({
  dnsPolicy: 'ClusterFirst',
  restartPolicy: 'Always',
  schedulerName: 'default-scheduler',
  securityContext: {},
  terminationGracePeriodSeconds: 30,
  ...spec,
  containers: (field<readonly Fields[]>(spec, 'containers') ?? []).map(defaultedContainer),
  ...(spec['volumes'] ? { volumes: (spec['volumes'] as readonly Fields[]).map(defaultedVolume) } : {}),
});

function defaultedContainer(container: Fields): Fields {
  const env = field<readonly Fields[]>(container, 'env');
  return {
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    ...container,
    resources: withoutEmpty(field<Fields>(container, 'resources') ?? {}),
    ...(env ? { env: env.map(defaultedVariable) } : {}),
  };
}

const withoutEmpty = (resources: Fields): Fields =>
  Object.fromEntries(Object.entries(resources).filter(([, it]) => Object.keys(it as object).length > 0));

const defaultedVariable = (variable: Fields): Fields => {
  const reference = field<Fields>(variable, 'valueFrom', 'fieldRef');
  return reference ? { ...variable, valueFrom: { fieldRef: { apiVersion: 'v1', ...reference } } } : variable;
};

const defaultedVolume = (volume: Fields): Fields => {
  const secret = field<Fields>(volume, 'secret');
  return secret ? { ...volume, secret: { defaultMode: 420, ...secret } } : volume;
};
