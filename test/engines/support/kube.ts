import { Agent, request } from 'node:https';

/** An object of Kubernetes as its API server answers it. */
export interface LiveObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly OwnerReference[];
    readonly deletionTimestamp?: string;
    readonly finalizers?: readonly string[];
    readonly managedFields?: readonly object[];
  };
  // biome-ignore lint/suspicious/noExplicitAny: an object of any kind
  readonly [field: string]: any;
}

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

export interface KubeEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: LiveObject;
}

export interface KubeAccess {
  /** `https://127.0.0.1:PORT` */
  readonly url: string;
  readonly ca: string;
  readonly token: string;
}

/** The kinds of an API server by `apiVersion/kind`: where they are. */
interface Resource {
  readonly plural: string;
  readonly isNamespaced: boolean;
}

/** A small client of one API server: what the harness itself writes, reads and watches. */
export class Kube {
  readonly access: KubeAccess;
  readonly #agent: Agent;
  readonly #resources = new Map<string, Resource>();

  constructor(access: KubeAccess) {
    this.access = access;
    this.#agent = new Agent({ ca: access.ca, keepAlive: true, maxSockets: 8 });
  }

  close(): void {
    this.#agent.destroy();
  }

  async get(apiVersion: string, kind: string, name: string, namespace?: string): Promise<LiveObject | null> {
    return this.#ask<LiveObject>('GET', await this.#path(apiVersion, kind, namespace, name)).catch(unlessMissing);
  }

  async list(apiVersion: string, kind: string, query = ''): Promise<readonly LiveObject[]> {
    const { items } = await this.#ask<{ readonly items: readonly LiveObject[] }>(
      'GET',
      `${await this.#path(apiVersion, kind)}${query}`,
    );
    return items.map((it) => ({ ...it, apiVersion, kind }));
  }

  async create(object: object): Promise<LiveObject> {
    const { apiVersion, kind, metadata } = object as LiveObject;
    return this.#ask('POST', await this.#path(apiVersion, kind, metadata.namespace), object);
  }

  /** Server-side apply as the harness. */
  async apply(object: object): Promise<LiveObject> {
    const { apiVersion, kind, metadata } = object as LiveObject;
    const path = await this.#path(apiVersion, kind, metadata.namespace, metadata.name);
    return this.#ask('PATCH', `${path}?fieldManager=harness&force=true`, object, 'application/apply-patch+yaml');
  }

  async merge(object: LiveObject, patch: object, subresource = ''): Promise<LiveObject | null> {
    const path = await this.#path(object.apiVersion, object.kind, object.metadata.namespace, object.metadata.name);
    return this.#ask<LiveObject>('PATCH', `${path}${subresource}`, patch, 'application/merge-patch+json').catch(
      unlessMissing,
    );
  }

  setStatus(object: LiveObject, status: object): Promise<LiveObject | null> {
    return this.merge(object, { status }, '/status');
  }

  async bind(pod: LiveObject, node: string): Promise<void> {
    const path = await this.#path('v1', 'Pod', pod.metadata.namespace, pod.metadata.name);
    const target = { apiVersion: 'v1', kind: 'Node', name: node };
    await this.#ask('POST', `${path}/binding`, { apiVersion: 'v1', kind: 'Binding', metadata: pod.metadata, target });
  }

  async remove({ apiVersion, kind, metadata }: LiveObject, gracePeriodSeconds?: number): Promise<void> {
    const path = await this.#path(apiVersion, kind, metadata.namespace, metadata.name);
    const options = gracePeriodSeconds === undefined ? undefined : { gracePeriodSeconds };
    await this.#ask('DELETE', path, options).catch(unlessMissing);
  }

  /** A token of a service account, for a day. */
  async token(namespace: string, name: string): Promise<string> {
    const path = await this.#path('v1', 'ServiceAccount', namespace, name);
    const asked = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 86_400 } };
    const { status } = await this.#ask<LiveObject>('POST', `${path}/token`, asked);
    return status.token;
  }

  async isReady(): Promise<boolean> {
    return (await this.#raw('GET', '/readyz')).status === 200;
  }

  /** Objects of a kind, those that are there first, then each change, until the signal; `onEvent` is awaited one by one. */
  async watch(
    { apiVersion, kind, query = '' }: { readonly apiVersion: string; readonly kind: string; readonly query?: string },
    signal: AbortSignal,
    onEvent: (event: KubeEvent) => Promise<void>,
  ): Promise<void> {
    while (!signal.aborted) {
      try {
        const path = await this.#path(apiVersion, kind);
        const stream = await this.#stream(`${path}?watch=true${query}`, signal);
        let rest = '';
        for await (const chunk of stream) {
          const lines = `${rest}${chunk}`.split('\n');
          rest = lines.pop() ?? '';
          for (const line of lines) {
            const event = JSON.parse(line) as KubeEvent;
            if (event.type in { ADDED: 1, MODIFIED: 1, DELETED: 1 }) await onEvent(event);
          }
        }
      } catch (error) {
        if (signal.aborted) return;
        // The kind may come later, and the API server may restart.
        this.lastProblem = error instanceof Error ? error.message : String(error);
        await new Promise((resolve) => setTimeout(resolve, 300));
      }
    }
  }

  /** The last problem of a watch, for a test that waits in vain. */
  lastProblem = '';

  async #path(apiVersion: string, kind: string, namespace?: string, name?: string): Promise<string> {
    const { plural, isNamespaced } = await this.#resource(apiVersion, kind);
    const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const inNamespace = isNamespaced && namespace !== undefined ? `/namespaces/${namespace}` : '';
    return `${root}${inNamespace}/${plural}${name === undefined ? '' : `/${name}`}`;
  }

  async #resource(apiVersion: string, kind: string): Promise<Resource> {
    const key = `${apiVersion}/${kind}`;
    const known = this.#resources.get(key);
    if (known !== undefined) return known;
    const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const { resources } = await this.#ask<{
      readonly resources: readonly { readonly name: string; readonly kind: string; readonly namespaced: boolean }[];
    }>('GET', root);
    for (const it of resources)
      if (!it.name.includes('/'))
        this.#resources.set(`${apiVersion}/${it.kind}`, { plural: it.name, isNamespaced: it.namespaced });
    const found = this.#resources.get(key);
    if (found === undefined) throw new KubeError(404, `${this.access.url} has no ${key}`);
    return found;
  }

  async #ask<T>(method: string, path: string, body?: object, type = 'application/json'): Promise<T> {
    for (let left = 60; ; left -= 1) {
      const { status, text } = await this.#raw(method, path, body, type);
      if (status < 300) return JSON.parse(text) as T;
      // A kind that was installed just now: "storage is (re)initializing".
      if (status !== 429 || left === 0) throw new KubeError(status, `${method} ${path}: ${status} ${messageOf(text)}`);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }

  #raw(method: string, path: string, body?: object, type = 'application/json'): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const sentBody = body === undefined ? '' : JSON.stringify(body);
      // Node sends the body of a DELETE only with its length.
      const length = { 'Content-Length': Buffer.byteLength(sentBody) };
      const headers = { ...this.#authorization(), 'Content-Type': type, ...length };
      const sent = request(`${this.access.url}${path}`, { method, headers, agent: this.#agent }, (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (it: string) => {
          text += it;
        });
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
        answer.on('error', reject);
      });
      sent.setTimeout(20_000, () => sent.destroy(new Error(`${method} ${path}: no answer in 20 s`)));
      sent.on('error', (error: NodeJS.ErrnoException) => {
        // An API server ends a connection that was idle for 90 seconds, also just before it is used again.
        if (sent.reusedSocket && error.code === 'ECONNRESET') resolve(this.#raw(method, path, body, type));
        else reject(error);
      });
      sent.end(sentBody);
    });
  }

  #stream(path: string, signal: AbortSignal) {
    return new Promise<AsyncIterable<string>>((resolve, reject) => {
      const options = { headers: this.#authorization(), ca: this.access.ca, signal, agent: false };
      const sent = request(`${this.access.url}${path}`, options, (answer) => {
        if (answer.statusCode !== 200) {
          answer.resume();
          reject(new KubeError(answer.statusCode ?? 0, `watch of ${path}: ${answer.statusCode}`));
          return;
        }
        answer.setEncoding('utf8');
        resolve(answer);
      });
      sent.on('error', reject);
      sent.end();
    });
  }

  #authorization() {
    return { Authorization: `Bearer ${this.access.token}` };
  }
}

export class KubeError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

function unlessMissing(error: unknown): null {
  if (error instanceof KubeError && error.status === 404) return null;
  throw error;
}

function messageOf(text: string): string {
  try {
    return (JSON.parse(text) as { readonly message?: string }).message ?? text;
  } catch {
    return text;
  }
}
