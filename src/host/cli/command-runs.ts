import type { ExitCode, Host } from '../front/host.ts';
import type { Call, CommandName } from './options-of.ts';

/** The function of each command. A module is loaded when its command is called, so that the others do not slow down the start. */
export const COMMAND_RUNS: { readonly [Name in CommandName]: (host: Host, call: Call<Name>) => Promise<ExitCode> } = {
  init: async (host, call) => (await import('./commands/init.ts')).initCommand(host, call),
  validate: async (host, call) => (await import('./commands/validate.ts')).validateCommand(host, call),
  compile: async (host, call) => (await import('./commands/compile.ts')).compileCommand(host, call),
  plan: async (host, call) => (await import('./commands/plan.ts')).planCommand(host, call),
  pr: async (host, call) => (await import('./commands/pr.ts')).prCommand(host, call),
  view: async (host, call) => (await import('./commands/view.ts')).viewCommand(host, call),
  graph: async (host, call) => (await import('./commands/graph.ts')).graphCommand(host, call),
  trace: async (host, call) => (await import('./commands/trace.ts')).traceCommand(host, call),
  whois: async (host, call) => (await import('./commands/whois.ts')).whoisCommand(host, call),
  ports: async (host, call) => (await import('./commands/ports.ts')).portsCommand(host, call),
  lab: async (host, call) => (await import('./commands/lab.ts')).labCommand(host, call),
  translate: async (host, call) => (await import('./commands/translate.ts')).translateCommand(host, call),
  verify: async (host, call) => (await import('./commands/verify.ts')).verifyCommand(host, call),
  drift: async (host, call) => (await import('./commands/drift.ts')).driftCommand(host, call),
  import: async (host, call) => (await import('./commands/import.ts')).importCommand(host, call),
  'identities collect': async (host, call) =>
    (await import('./commands/identities-collect.ts')).identitiesCollectCommand(host, call),
  'keys generate': async (host, call) => (await import('./commands/keys-generate.ts')).keysGenerateCommand(host, call),
  explain: async (host, call) => (await import('./commands/explain.ts')).explainCommand(host, call),
  completion: async (host, call) => (await import('./commands/completion.ts')).completionCommand(host, call),
};
