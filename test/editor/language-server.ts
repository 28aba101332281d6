import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** It has a folder of its own: `npm ci --prefix test/editor`. */
const SERVER = fileURLToPath(new URL('node_modules/yaml-language-server/bin/yaml-language-server', import.meta.url));

/** In CI it must be there, so a test is left out only elsewhere. */
export const languageServerMissing = !existsSync(SERVER) && !process.env['CI'];

/** Nothing is asked from the network: the only schema is the one that a file names. */
const SETTINGS = {
  yaml: { validate: true, hover: true, completion: true, schemaStore: { enable: false } },
};

/** Line and column, both from 0. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

export interface Completion {
  readonly label: string;
  readonly textEdit: { readonly newText: string; readonly range: { readonly start: Position; readonly end: Position } };
}

export interface Mistake {
  readonly range: { readonly start: Position; readonly end: Position };
  readonly message: string;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** The real language server, spoken to over stdio as an editor does. Each text is opened as a new file of the folder. */
export class LanguageServer {
  readonly #process = spawn(process.execPath, [SERVER, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
  readonly #folder: string;
  readonly #answers = new Map<number, (message: Message) => void>();
  readonly #mistakes = new Map<string, (mistakes: readonly Mistake[]) => void>();
  #unread = Buffer.alloc(0);
  #opened = 0;
  #asked = 0;

  /** @param folder where the files seem to be; schemas that they name are read from there */
  static async start(folder: string): Promise<LanguageServer> {
    const server = new LanguageServer(folder);
    await server.#ask('initialize', {
      processId: process.pid,
      rootUri: pathToFileURL(folder).href,
      capabilities: {
        workspace: { configuration: true },
        textDocument: {
          completion: { completionItem: { snippetSupport: true, documentationFormat: ['markdown'] } },
          hover: { contentFormat: ['markdown'] },
          publishDiagnostics: {},
        },
      },
    });
    server.#send({ method: 'initialized', params: {} });
    return server;
  }

  private constructor(folder: string) {
    this.#folder = folder;
    this.#process.stdout.on('data', (bytes: Buffer) => this.#receive(bytes));
    // A server that has ended answers nothing: that is the error, not the failed write.
    this.#process.stdin.on('error', () => {});
    this.#process.on('exit', () => {
      for (const answer of this.#answers.values()) answer({ error: 'the language server has ended' });
    });
  }

  async complete(text: string, position: Position): Promise<readonly Completion[]> {
    const { items } = await this.#ask<{ items: readonly Completion[] }>('textDocument/completion', {
      textDocument: { uri: this.#open(text) },
      position,
    });
    return items;
  }

  /** Markdown. */
  async hover(text: string, position: Position): Promise<string> {
    const { contents } = await this.#ask<{ contents: { value: string } }>('textDocument/hover', {
      textDocument: { uri: this.#open(text) },
      position,
    });
    return contents.value;
  }

  mistakesIn(text: string): Promise<readonly Mistake[]> {
    return new Promise((done) => this.#open(text, done));
  }

  async stop(): Promise<void> {
    const exited = once(this.#process, 'exit');
    await this.#ask('shutdown', null);
    this.#send({ method: 'exit' });
    await exited;
  }

  #open(text: string, onMistakes: (mistakes: readonly Mistake[]) => void = () => {}): string {
    const uri = pathToFileURL(`${this.#folder}/topologies/${this.#opened++}.yaml`).href;
    this.#mistakes.set(uri, onMistakes);
    this.#send({
      method: 'textDocument/didOpen',
      params: { textDocument: { uri, languageId: 'yaml', version: 1, text } },
    });
    return uri;
  }

  #ask<Result>(method: string, params: unknown): Promise<Result> {
    const id = ++this.#asked;
    this.#send({ id, method, params });
    return new Promise((done, failed) => {
      this.#answers.set(id, ({ error, result }) =>
        error === undefined ? done(result as Result) : failed(new Error(JSON.stringify(error))),
      );
    });
  }

  #send(message: Message): void {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.#process.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  #receive(bytes: Buffer): void {
    this.#unread = Buffer.concat([this.#unread, bytes]);
    for (;;) {
      const end = this.#unread.indexOf('\r\n\r\n');
      if (end === -1) return;
      const length = Number(/Content-Length: (\d+)/i.exec(this.#unread.subarray(0, end).toString())?.[1]);
      const [from, to] = [end + 4, end + 4 + length];
      if (this.#unread.length < to) return;
      const message = JSON.parse(this.#unread.subarray(from, to).toString()) as Message;
      this.#unread = this.#unread.subarray(to);
      this.#handle(message);
    }
  }

  #handle({ id, method, params, ...rest }: Message): void {
    if (method === undefined) {
      this.#answers.get(id ?? 0)?.(rest);
    } else if (id !== undefined) {
      // The server asks the editor for its settings, and registers for notifications.
      this.#send({ id, result: method === 'workspace/configuration' ? settingsFor(params) : null });
    } else if (method === 'textDocument/publishDiagnostics') {
      const { uri, diagnostics } = params as { uri: string; diagnostics: readonly Mistake[] };
      this.#mistakes.get(uri)?.(diagnostics);
    }
  }
}

const settingsFor = (params: unknown): readonly unknown[] =>
  (params as { items: readonly { section?: string }[] }).items.map(({ section }) =>
    section === 'yaml' ? SETTINGS.yaml : section === undefined ? SETTINGS : null,
  );
