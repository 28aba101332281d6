/**
 * The names of the prober, by which `weft conformance` finds it. With `conformance: true`, every cluster runs one: two
 * servers that answer questions, and tools to dial those of other clusters.
 *
 * TCP answers every request with the name of the pod and knows no other path, see `PROBER_ARGUMENTS`. UDP answers
 * `hostname` with the name of the pod, `clientip` with the address and the port that the question came from, and
 * `echo TEXT` with the text in small letters; questions have up to 2048 bytes. So who answered is known from both, the
 * address of the sender from UDP, and full packets are a long header of a request over TCP, and an echo over UDP.
 *
 * A Service across clusters exists where the topology offloads the namespace of the prober, which only a person decides:
 * providers then have a Service of this name in the namespace `remoteName`, and dial its cluster IP. The prober itself
 * never runs there.
 */
export { PROBER_NAMESPACE } from '../../fleet/model/network-model.ts';

/** The name of the Deployment, its container, the Service, the ServiceAccount and the NetworkPolicy. */
export const PROBER_NAME = 'prober';

/** The labels of the pod, by which it is selected. */
export const PROBER_LABELS = { 'app.kubernetes.io/name': PROBER_NAME, 'app.kubernetes.io/part-of': 'weft' } as const;

export const PROBER_TCP_PORT = 8080;
export const PROBER_UDP_PORT = 8081;

/**
 * The image of Kubernetes' own tests, with `sh`, `bash`, `curl`, `nc` of OpenBSD and `ip`.
 * Source: kubernetes/kubernetes@v1.35.4 test/utils/image/manifest.go, test/images/agnhost/Dockerfile.
 */
export const PROBER_IMAGE = 'registry.k8s.io/e2e-test-images/agnhost:2.59';

/**
 * Without the last argument, the server also runs any command and sends any request that it is sent itself: it has
 * `/shell`, `/dial`, `/upload` and `/exit`. With it, every request is answered like one for `/hostname`.
 * Source: kubernetes/kubernetes@v1.35.4 test/images/agnhost/netexec/netexec.go.
 */
export const PROBER_ARGUMENTS = [
  'netexec',
  `--http-port=${PROBER_TCP_PORT}`,
  `--udp-port=${PROBER_UDP_PORT}`,
  '--http-override=/hostname',
] as const;
