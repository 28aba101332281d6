import type { Sources } from '../../../compile.ts';

/** The files of a fleet that people edit; an empty text is a missing file. */
export interface Drafts {
  readonly topology: string;
  readonly keys: string;
  readonly identities: string;
}

export const DRAFT_FILES = {
  topology: 'topology.yaml',
  keys: 'topology.keys.yaml',
  identities: 'topology.identities.yaml',
} as const satisfies Readonly<Record<keyof Drafts, string>>;

export const LOCK_FILE = 'topology.lock.yaml';

/** The folder of these files in a repository, and the folder of the bundles. */
export const TOPOLOGY_FOLDER = 'topologies';
export const OUT = 'out';

/** Drafts with the lock of earlier decisions; `null` to decide everything again. */
export interface LockedDrafts {
  readonly drafts: Drafts;
  readonly lock: string | null;
}

/** A fleet to start from. */
interface Example extends LockedDrafts {
  readonly name: string;
  readonly title: string;
}

/** The data of the playground. */
export interface PlayData {
  readonly weft: string;
  readonly examples: readonly Example[];
}

/** Sources as the compiler reads them. A text that did not change is the same source. */
export function draftSources({ drafts, lock }: LockedDrafts): Sources {
  const source = (path: string, text: string | null) => (text === null || text === '' ? undefined : { path, text });
  return {
    topology: { path: DRAFT_FILES.topology, text: drafts.topology },
    keys: source(DRAFT_FILES.keys, drafts.keys),
    identities: source(DRAFT_FILES.identities, drafts.identities),
    lock: source(LOCK_FILE, lock),
  };
}

/** Everything that a reload must not lose. */
export interface Session extends LockedDrafts {
  /** The state that the bundles are compared with. */
  readonly kept: LockedDrafts;
}

const SESSION = 'weft-playground';

/** The session before a reload; `null` when there is none, or the browser keeps none. */
export function readSession(): Session | null {
  try {
    const text = sessionStorage.getItem(SESSION);
    return text === null ? null : (JSON.parse(text) as Session);
  } catch {
    return null;
  }
}

export function writeSession(session: Session): void {
  try {
    sessionStorage.setItem(SESSION, JSON.stringify(session));
  } catch {
    // Without storage, or without room in it, a reload begins again.
  }
}

const LINK = '#drafts=';

/** Code units of a link that every browser and most chats accept. */
const LONGEST_LINK = 8000;

/** The part of an address that carries these drafts; `null` if it would be too long. */
export async function linkOf(drafts: Drafts): Promise<string | null> {
  const bytes = await throughStream(new TextEncoder().encode(JSON.stringify(drafts)), 'compress');
  const base64 = btoa(Array.from(bytes, (it) => String.fromCharCode(it)).join(''));
  const link = LINK + base64.replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
  return link.length > LONGEST_LINK ? null : link;
}

/** The drafts in the address of the page; `null` without any. */
export async function draftsInLink(hash: string): Promise<Drafts | null> {
  if (!hash.startsWith(LINK) || hash.length > LONGEST_LINK) return null;
  try {
    const base64 = hash.slice(LINK.length).replace(/-/g, '+').replace(/_/g, '/');
    const bytes = Uint8Array.from(atob(base64), (it) => it.charCodeAt(0));
    const read: unknown = JSON.parse(new TextDecoder().decode(await throughStream(bytes, 'decompress')));
    return isDrafts(read) ? read : null;
  } catch {
    return null;
  }
}

const isDrafts = (value: unknown): value is Drafts =>
  typeof value === 'object' &&
  value !== null &&
  ['topology', 'keys', 'identities'].every((it) => typeof Reflect.get(value, it) === 'string');

/** Bytes that a link of the greatest length may become. */
const MOST_BYTES = 1_000_000;

async function throughStream(bytes: Uint8Array<ArrayBuffer>, way: 'compress' | 'decompress'): Promise<Uint8Array> {
  const stream = way === 'compress' ? new CompressionStream('deflate-raw') : new DecompressionStream('deflate-raw');
  const parts: Uint8Array[] = [];
  let size = 0;
  // A small link may become a large text.
  const counted = new WritableStream<Uint8Array>({
    write(part, controller) {
      parts.push(part);
      size += part.length;
      if (size > MOST_BYTES) controller.error(new RangeError('the link is too large'));
    },
  });
  await new Blob([bytes]).stream().pipeThrough(stream).pipeTo(counted);
  const whole = new Uint8Array(size);
  let at = 0;
  for (const it of parts) {
    whole.set(it, at);
    at += it.length;
  }
  return whole;
}

/** Reads chosen files; the names decide which file is which, as in a folder of topologies. */
export async function openedFiles(files: FileList): Promise<Partial<Drafts> & { readonly lock?: string }> {
  const read = await Promise.all([...files].map(async (it) => [draftOf(it.name), await it.text()] as const));
  return Object.fromEntries(read);
}

const draftOf = (name: string): keyof Drafts | 'lock' => {
  const [, kind] = /\.(keys|identities|lock)\.ya?ml$/.exec(name) ?? [];
  return kind === 'keys' || kind === 'identities' || kind === 'lock' ? kind : 'topology';
};

/** Offers a file for saving. */
export function saveFile(name: string, content: string | Uint8Array<ArrayBuffer>): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content]));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
