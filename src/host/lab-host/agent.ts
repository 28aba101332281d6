import { printAddress } from '../../base/net/text.ts';
import type { PodHost } from '../../reach/lab/lab-plan.ts';
import type { AgentAnswer, AgentOrder } from './agent-messages.ts';
import { agentProgram } from './agent-program.ts';
import { inside, type LabSite } from './lab-site.ts';
import { startProcess, ToolFailure } from './run-tool.ts';

/** The program that answers and sends probes for the pods of a cluster. */
export interface Agent {
  readonly cluster: string;
  /** Sends all orders; returns one answer for each, also for a failed order. */
  readonly send: (orders: readonly AgentOrder[]) => Promise<readonly AgentAnswer[]>;
  readonly end: () => Promise<void>;
}

/**
 * The ports on which pods answer. Nodes use a separate port, because two nodes may send from the same address and port.
 */
export const PORTS = { pod: 7001, node: 7002 } as const;

/** The limit of Node's heap; an agent holds only a few messages. */
const HEAP_MEGABYTES = 32;

/** Starts an agent; resolves when its pods answer. */
export function startAgent(site: LabSite, { cluster, namespace, pods }: PodHost): Promise<Agent> {
  const settings = {
    cluster,
    pods: pods.map(printAddress),
    ports: Object.values(PORTS),
    ping: site.parts.ping,
  };
  const node = [process.execPath, `--max-old-space-size=${HEAP_MEGABYTES}`, '-e', agentProgram(settings)];
  // NODE_OPTIONS of the user is meant for weft only; LC_ALL fixes the language of ping, whose output is parsed.
  const env = { ...site.env, NODE_OPTIONS: '', LC_ALL: 'C' };
  const started = startProcess(site.parts.ip, [...inside(site, namespace), ...node], { env, outlives: false });
  site.processes.add(started);

  let listener: (answer: AgentAnswer) => void = () => {};
  let onEnd: () => void = () => {};
  let unread = '';
  started.child.stdout?.on('data', (part: Buffer) => {
    const lines = (unread + part.toString()).split('\n');
    unread = lines.pop() ?? '';
    for (const line of lines) listener(JSON.parse(line) as AgentAnswer);
  });
  started.child.once('close', () => onEnd());

  const send: Agent['send'] = (orders) =>
    new Promise((resolve, reject) => {
      const answers: AgentAnswer[] = [];
      if (orders.length === 0) resolve(answers);
      if (started.hasEnded()) reject(new ToolFailure(`the pods of ${cluster}`, started.errorOutput()));
      onEnd = () => reject(new ToolFailure(`the pods of ${cluster}`, started.errorOutput()));
      listener = (answer) => {
        answers.push(answer);
        if (answers.length === orders.length) resolve(answers);
      };
      started.child.stdin?.write(orders.map((it) => `${JSON.stringify(it)}\n`).join(''));
    });

  return new Promise((resolve, reject) => {
    onEnd = () => reject(new ToolFailure(`the pods of ${cluster}`, started.errorOutput()));
    listener = (answer) => {
      if (answer.kind === 'unable') reject(new ToolFailure(`the pods of ${cluster}`, answer.why));
      else resolve({ cluster, send, end: started.end });
    };
  });
}
