import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Kube } from './kube.ts';
import { freePorts, Processes, until } from './processes.ts';
import { program } from './programs.ts';

/** Kubernetes without nodes: an API server with its controllers, as a process each. */
export interface ControlPlane {
  readonly name: string;
  /** A folder of its own, with the logs. */
  readonly folder: string;
  readonly kube: Kube;
  /** `https://127.0.0.1:PORT` */
  readonly url: string;
  readonly caFile: string;
  readonly caKeyFile: string;
  /** The kubeconfig of an administrator; its context has the name of the cluster. */
  readonly kubeconfig: string;
  /** Every request that changes something, one JSON event a line: `observe.ts` reads it. */
  readonly auditLog: string;
  readonly processes: Processes;
  /** Writes a kubeconfig that acts with a token, and returns its path. */
  kubeconfigWith(user: string, token: string): string;
  /** Ends the API server alone, as if the cluster could not be reached; `back()` starts it again at its address. */
  breakOff(): Promise<{ back(): Promise<void> }>;
  stop(): Promise<void>;
}

export interface Etcd {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** One etcd for all clusters of a run, each below a prefix of its own. It keeps nothing for the next run. */
export async function startEtcd(folder: string): Promise<Etcd> {
  mkdirSync(folder, { recursive: true });
  const processes = new Processes(folder);
  const [client = 0, peer = 0] = await freePorts(2);
  const url = `http://127.0.0.1:${client}`;
  processes.start({
    name: 'etcd',
    path: program('etcd'),
    args: [
      `--data-dir=${join(folder, 'data')}`,
      `--listen-client-urls=${url}`,
      `--advertise-client-urls=${url}`,
      `--listen-peer-urls=http://127.0.0.1:${peer}`,
      '--unsafe-no-fsync',
      '--quota-backend-bytes=4294967296',
    ],
  });
  await until('etcd answers', async () => (await fetch(`${url}/health`)).ok, 30);
  return { url, stop: () => processes.stopAll() };
}

export interface ControlPlaneOptions {
  readonly name: string;
  readonly folder: string;
  readonly etcd: Etcd;
  /** The network of Services, as the topology has it. */
  readonly serviceCIDR: string;
  /** The port of the API server; by default a free one. */
  readonly port?: number;
}

/** Starts the control plane of a cluster, and returns when it answers. */
export async function startControlPlane({
  name,
  folder,
  etcd,
  serviceCIDR,
  port: asked,
}: ControlPlaneOptions): Promise<ControlPlane> {
  mkdirSync(folder, { recursive: true });
  const processes = new Processes(folder);
  const [free = 0, controllers = 0] = await freePorts(2);
  const port = asked ?? free;
  const file = (it: string) => join(folder, it);
  makeCertificates(folder, name);
  const token = `admin-of-${name}`;
  writeFileSync(file('tokens.csv'), `${token},admin,admin,"system:masters"\n`);
  writeFileSync(file('audit-policy.json'), JSON.stringify(AUDIT_POLICY));
  const url = `https://127.0.0.1:${port}`;
  const kube = new Kube({ url, ca: readFileSync(file('ca.crt'), 'utf8'), token });
  const startApiServer = async () => {
    const apiServer = processes.start({
      name: 'kube-apiserver',
      path: program('kube-apiserver'),
      args: [
        `--etcd-servers=${etcd.url}`,
        `--etcd-prefix=/${name}`,
        `--secure-port=${port}`,
        '--bind-address=127.0.0.1',
        '--advertise-address=127.0.0.1',
        '--endpoint-reconciler-type=none',
        `--tls-cert-file=${file('server.crt')}`,
        `--tls-private-key-file=${file('server.key')}`,
        `--client-ca-file=${file('ca.crt')}`,
        `--service-cluster-ip-range=${serviceCIDR}`,
        `--service-account-issuer=${url}`,
        `--service-account-key-file=${file('accounts.key')}`,
        `--service-account-signing-key-file=${file('accounts.key')}`,
        `--token-auth-file=${file('tokens.csv')}`,
        '--authorization-mode=RBAC',
        '--anonymous-auth=false',
        `--audit-policy-file=${file('audit-policy.json')}`,
        `--audit-log-path=${file('audit.log')}`,
        '--audit-log-mode=blocking',
        '--profiling=false',
        '--allow-privileged=true',
      ],
    });
    await until(`the API server of ${name} is ready`, () => kube.isReady(), 120);
    return apiServer;
  };
  let apiServer = await startApiServer();
  const kubeconfigWith = (user: string, its: string) => writeKubeconfig({ folder, name, url, user, token: its });
  const kubeconfig = kubeconfigWith('admin', token);
  processes.start({
    name: 'kube-controller-manager',
    path: program('kube-controller-manager'),
    args: [
      `--kubeconfig=${kubeconfig}`,
      '--bind-address=127.0.0.1',
      `--secure-port=${controllers}`,
      `--cert-dir=${folder}`,
      '--leader-elect=false',
      '--use-service-account-credentials=false',
      `--service-account-private-key-file=${file('accounts.key')}`,
      `--root-ca-file=${file('ca.crt')}`,
      `--cluster-signing-cert-file=${file('ca.crt')}`,
      `--cluster-signing-key-file=${file('ca.key')}`,
      // No kubelet sends a heartbeat, so no controller may miss it.
      '--controllers=*,-node-lifecycle-controller,-node-ipam-controller,-cloud-node-lifecycle-controller,-ttl-controller',
    ],
  });
  return {
    name,
    folder,
    kube,
    url,
    caFile: file('ca.crt'),
    caKeyFile: file('ca.key'),
    kubeconfig,
    auditLog: file('audit.log'),
    processes,
    kubeconfigWith,
    breakOff: async () => {
      await apiServer.stop();
      return {
        back: async () => {
          apiServer = await startApiServer();
        },
      };
    },
    stop: async () => {
      kube.close();
      await processes.stopAll();
    },
  };
}

/** Requests that change something are logged, without their bodies. */
const AUDIT_POLICY = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [{ level: 'Metadata', verbs: ['create', 'update', 'patch', 'delete', 'deletecollection'] }, { level: 'None' }],
};

/** The name at which other clusters find the API server; loopback is no address of one in a topology. */
export function hostNameOf(cluster: string): string {
  return `${cluster}.clusters.internal`;
}

/** A CA of the cluster, the certificate of its API server, and the key of its service accounts. */
function makeCertificates(folder: string, cluster: string): void {
  const openssl = (...args: string[]) => execFileSync(program('openssl'), args, { cwd: folder, stdio: 'pipe' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.crt', '-days', '3650', '-subj', '/CN=engines');
  makeServerCertificate({ folder, name: 'server', hosts: ['kubernetes', hostNameOf(cluster)] });
  openssl('genrsa', '-out', 'accounts.key', '2048');
}

/** A certificate for a server at loopback, signed by the CA of the folder: `NAME.crt` and `NAME.key`. */
export function makeServerCertificate(its: {
  readonly folder: string;
  readonly name: string;
  readonly hosts: readonly string[];
}): void {
  const { folder, name, hosts } = its;
  const openssl = (...args: string[]) => execFileSync(program('openssl'), args, { cwd: folder, stdio: 'pipe' });
  const names = ['IP:127.0.0.1', 'DNS:localhost', ...hosts.map((it) => `DNS:${it}`)].join(',');
  writeFileSync(join(folder, `${name}.ext`), `subjectAltName=${names}\nextendedKeyUsage=serverAuth,clientAuth\n`);
  const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout', `${name}.key`];
  openssl('req', ...key, '-out', `${name}.csr`, '-subj', `/CN=${name}`);
  const ca = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial'];
  openssl(
    'x509',
    '-req',
    '-in',
    `${name}.csr`,
    ...ca,
    '-out',
    `${name}.crt`,
    '-days',
    '3650',
    '-extfile',
    `${name}.ext`,
  );
}

interface KubeconfigOf {
  readonly folder: string;
  readonly name: string;
  readonly url: string;
  readonly user: string;
  readonly token: string;
}

/** kubectl and every controller read JSON as the YAML that it is. */
function writeKubeconfig({ folder, name, url, user, token }: KubeconfigOf): string {
  const path = join(folder, `${user}.kubeconfig`);
  const ca = readFileSync(join(folder, 'ca.crt')).toString('base64');
  writeFileSync(
    path,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name, cluster: { server: url, 'certificate-authority-data': ca } }],
      users: [{ name: user, user: { token } }],
      contexts: [{ name, context: { cluster: name, user } }],
      'current-context': name,
    }),
    { mode: 0o600 },
  );
  return path;
}

/** One kubeconfig with the contexts of all clusters, as `--context` of weft takes them. */
export function joinKubeconfigs(path: string, planes: readonly ControlPlane[]): string {
  const all = planes.map((it) => JSON.parse(readFileSync(it.kubeconfig, 'utf8')) as Kubeconfig);
  const joined = {
    apiVersion: 'v1',
    kind: 'Config',
    // A cluster that is called by another name today keeps its files.
    clusters: all.flatMap((it, at) => it.clusters.map(({ cluster }) => ({ name: planes[at]?.name, cluster }))),
    users: all.flatMap((it, at) => it.users.map(({ user }) => ({ name: planes[at]?.name, user }))),
    contexts: planes.map(({ name }) => ({ name, context: { cluster: name, user: name } })),
  };
  writeFileSync(path, JSON.stringify(joined), { mode: 0o600 });
  return path;
}

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: object }[];
  readonly users: readonly { readonly user: object }[];
}
