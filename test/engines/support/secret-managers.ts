import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ControlPlane } from './control-plane.ts';
import { installKinds, untilHealthy } from './flux.ts';
import type { LiveObject } from './kube.ts';
import { freePorts, type Processes, type Program } from './processes.ts';
import { program } from './programs.ts';

/** The External Secrets Operator in a cluster, with a store that it plays for tests. */
export interface ExternalSecrets {
  /** Stores the key pair of a Secret under a key, as `docs/keys.md` describes. */
  put(key: string, secret: LiveObject): Promise<void>;
  pause(): Promise<void>;
  resume(): void;
}

/** Installs the kinds of External Secrets, starts the operator, and makes a ClusterSecretStore for it. */
export async function startExternalSecrets(plane: ControlPlane, store: string): Promise<ExternalSecrets> {
  const { kube, kubeconfig, processes } = plane;
  await installKinds(kubeconfig, 'external-secrets');
  const [live = 0, metrics = 0] = await freePorts(2);
  const unused = ['cluster-external-secret', 'cluster-push-secret', 'push-secret'];
  const operator: Program = {
    name: 'external-secrets',
    path: program('external-secrets'),
    env: { KUBECONFIG: kubeconfig },
    args: [
      `--live-addr=127.0.0.1:${live}`,
      `--metrics-addr=127.0.0.1:${metrics}`,
      ...unused.map((it) => `--enable-${it}-reconciler=false`),
    ],
  };
  processes.start(operator);
  const data: { readonly key: string; readonly value: string }[] = [];
  return {
    put: async (key, secret) => {
      data.push({ key, value: JSON.stringify(secret['data']) });
      await kube.apply({
        apiVersion: 'external-secrets.io/v1',
        kind: 'ClusterSecretStore',
        metadata: { name: store },
        spec: { provider: { fake: { data } } },
      });
    },
    pause: () => processes.pause(/^external-secrets$/),
    resume: () => processes.resume(),
  };
}

/** The controller of sealed-secrets in a cluster. */
export interface SealedSecrets {
  /** The file of the certificate for which `kubeseal` seals. */
  readonly certificate: string;
  restart(): Promise<void>;
}

/** Installs the kind of sealed-secrets and starts its controller. */
export async function startSealedSecrets(plane: ControlPlane): Promise<SealedSecrets> {
  const { folder, kubeconfig, processes } = plane;
  await installKinds(kubeconfig, 'sealed-secrets');
  const [port = 0, metrics = 0] = await freePorts(2);
  const account = join(folder, 'sealed-secrets');
  mkdirSync(account);
  writeFileSync(join(account, 'token'), plane.kube.access.token, { mode: 0o600 });
  writeFileSync(join(account, 'ca.crt'), readFileSync(plane.caFile));
  const controller = controllerWith({ plane, account, port, metrics });
  await startUntilHealthy(processes, controller, port);
  const certificate = join(account, 'cert.pem');
  writeFileSync(certificate, await (await fetch(`http://127.0.0.1:${port}/v1/cert.pem`)).text());
  return {
    certificate,
    restart: async () => {
      await processes.pause(/^sealed-secrets-controller$/);
      processes.resume();
      await untilHealthy(processes, port);
    },
  };
}

async function startUntilHealthy(processes: Processes, controller: Program, port: number): Promise<void> {
  processes.start(controller);
  await untilHealthy(processes, port);
}

interface Controller {
  readonly plane: ControlPlane;
  /** The folder with the token and the CA. */
  readonly account: string;
  readonly port: number;
  readonly metrics: number;
}

/** It has no flag for a kubeconfig: the account is where a kubelet puts it, in a file system of its own. */
function controllerWith({ plane, account, port, metrics }: Controller): Program {
  const { hostname, port: apiPort } = new URL(plane.url);
  const secrets = '/var/run/secrets/kubernetes.io';
  const script = `mount -t tmpfs none /var/run && mkdir -p ${secrets} && ln -s "$1" ${secrets}/serviceaccount && shift && exec "$@"`;
  return {
    name: 'sealed-secrets-controller',
    path: program('unshare'),
    env: { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: apiPort, POD_NAMESPACE: 'kube-system' },
    args: [
      ...['--mount', '--propagation', 'private', 'sh', '-c', script, 'sh', account],
      program('sealed-secrets-controller'),
      `--listen-addr=127.0.0.1:${port}`,
      `--listen-metrics-addr=127.0.0.1:${metrics}`,
    ],
  };
}
