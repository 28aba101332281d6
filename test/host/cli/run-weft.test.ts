import { describe, expect, it } from 'vitest';
import { COMMAND_GROUPS, COMMANDS } from '../../../src/host/cli/command-table.ts';
import { workspace } from './memory-host.ts';

describe('the command line', () => {
  it.each([
    [['complie'], "unknown command 'complie'", 'did you mean compile?'],
    [['trace', 'rome', 'milan', '-o', 'sgv'], "argument 'sgv' is invalid", 'did you mean "svg"?'],
    [['compile', '--chek'], "unknown option '--chek'", 'did you mean --check?'],
    [['compile', '-o', 'xml'], "'xml' is invalid", 'write -o json'],
    [['compile', '--relock'], 'argument missing', 'weft compile --help'],
    [['compile', 'a.yaml', 'b.yaml'], 'too many arguments', 'weft compile --help'],
    [['keys', 'genrate'], "unknown command 'genrate'", 'did you mean generate?'],
    [['completion', 'tcsh'], 'the shell "tcsh" is not supported', 'choose one of bash, zsh, fish, powershell\n'],
    [['completion'], "missing required argument 'shell'", 'bash, zsh, fish or powershell'],
    [['pr', 'opne'], 'the mode "opne" is not supported', 'did you mean "open"?'],
    [['lab', 'start'], 'there is no file start', 'run "sudo weft lab"'],
    [['validate', '--strict'], "unknown option '--strict'", 'no warning fails a run'],
    [['whois', 'milan'], '"milan" is not an IPv4 address', 'run "weft view milan"'],
    [['compile', '--all', '--cluster', 'rome'], '--all and --cluster exclude each other', undefined],
    [['compile', '--relock', 'rome/milan/x'], '--relock requires a cluster or a link', '--relock rome'],
    [['compile', '--watch', '-o', 'sarif'], '--watch and --output exclude each other', undefined],
    [['keys', 'renew'], "unknown command 'renew'", 'weft keys rotate'],
    [['keys', 'rotate'], 'no link is named', '--link rome/milan'],
    [['keys', 'list'], "unknown command 'list'", 'weft view links'],
    [['keys', 'constructor'], "unknown command 'constructor'", 'run "weft keys generate"'],
    [['rotate'], "unknown command 'rotate'", 'weft keys rotate'],
    [['identities', 'show'], "unknown command 'show'", 'weft identities collect'],
    [['kyes', 'generate'], "unknown command 'kyes'", 'did you mean keys?'],
  ])('answers %j with what is wrong, and exits 2', async (argv, message, hint) => {
    const answer = await workspace().weft(...argv);
    expect(answer.code).toBe(2);
    expect(answer.stdout).toBe('');
    expect(answer.stderr).toContain(message);
    if (hint !== undefined) expect(answer.stderr).toContain(hint);
  });

  it.each(Object.entries(COMMAND_GROUPS))(
    'prints the help of %s, which is no command by itself',
    async (name, about) => {
      const { weft } = workspace();
      const help = await weft(name, '--help');
      expect(help).toMatchObject({ code: 0, stderr: '' });
      expect(help.stdout.toLowerCase()).toMatch(
        new RegExp(`^usage: weft ${name} command\n\n${about}\\.\n\ncommands:\n`),
      );
      for (const it of COMMANDS.filter((one) => one.name.startsWith(`${name} `)))
        expect(help.stdout).toMatch(new RegExp(`^ {2}weft ${it.name} +${it.summary}$`, 'm'));
      expect(await weft('help', name)).toEqual(help);
      expect(await weft(name, 'help')).toEqual(help);
      for (const argv of [[name], ['-q', name]])
        expect(await weft(...argv)).toEqual({ code: 2, stdout: '', stderr: help.stdout });
    },
  );

  it.each([
    ['validate', 'topology is right, and includes no other check'],
    ['compile', 'both are current; it includes weft validate and'],
    ['verify', 'bundles are right; it includes weft validate, and compile --check'],
    ['lab', 'go where weft trace says; it includes weft validate, and reads no file in out/'],
    ['drift', 'clusters are as git says; it includes weft validate, and neither needs nor checks out/'],
    ['pr', 'may be merged; it includes weft validate and weft plan, and weft compile --check with --current'],
  ])('says of the check %s what it answers, and which others it includes', async (name, sentence) => {
    const { stdout } = await workspace().weft(name, '--help');
    expect(stdout.replace(/\s+/g, ' ')).toMatch(/answers whether/i);
    expect(stdout.replace(/\s+/g, ' ')).toContain(sentence);
  });

  it.each([
    ['compile', '--check'],
    ['verify'],
    ['lab'],
    ['drift', '--live', 'dumps/'],
    ['pr', 'check', '--base-dir', 'before'],
  ])('begins the check %s with that of the topology', async (...argv) => {
    const files = { 'topology.yaml': 'version: 1\nname: europe\nclusters: { rome: { podCIDR: 10.1.0.1/16 } }\n' };
    const others = { 'dumps/rome.json': '{"kind":"List","items":[]}', 'before/topology.yaml': files['topology.yaml'] };
    const { weft } = workspace({ ...files, ...others });
    const { stderr } = await weft('validate');
    expect(stderr).toContain('error topology/host-bits');
    const answer = await weft(...argv);
    expect({ ...answer, stdout: '' }).toEqual({ code: 1, stdout: '', stderr });
  });

  it('has a summary of at most 60 columns for every command', () => {
    expect(COMMANDS.filter((it) => it.summary.length > 60)).toEqual([]);
  });

  it('prints version and help on stdout', async () => {
    const { weft } = workspace();
    expect(await weft('--version')).toEqual({ code: 0, stdout: '9.9.9 (01234567)\n', stderr: '' });
    const help = await weft('--help');
    expect(help).toMatchObject({ code: 0, stderr: '' });
    for (const it of COMMANDS) expect(help.stdout).toContain(`  ${it.name} `);
    expect(help.stdout).toContain('Exit codes:');
  });

  it.each(COMMANDS.map((it) => [it.name, it] as const))(
    'has help for %s, with every option and example',
    async (name, spec) => {
      const { stdout, code } = await workspace().weft(...name.split(' '), '--help');
      expect(code).toBe(0);
      for (const it of spec.options) expect(stdout).toContain(`--${it.long}`);
      for (const [example] of spec.examples) expect(stdout).toContain(example);
      expect(stdout).toContain('Exit codes:');
    },
  );

  it('owes a JSON document even when there is no answer', async () => {
    const { weft } = workspace();
    for (const argv of [
      ['validate', '-o', 'json'],
      ['validate', '-ojson', '--nonsense'],
      ['view', 'rome', '--output=json'],
    ]) {
      const answer = await weft(...argv);
      expect(answer.code).toBe(2);
      expect(JSON.parse(answer.stdout)).toMatchObject({
        schemaVersion: 1,
        ok: false,
        failure: { message: expect.any(String) },
      });
    }
  });

  it('takes the blame for its own faults, with the version, and shows the stack only when asked', async () => {
    const { weftWith, weft } = workspace();
    const broken = {
      get CI(): string {
        throw new TypeError('undefined is not what it was');
      },
    };
    const answer = await weftWith({ env: broken, stderrIsTTY: true }, 'compile', '--color', 'never');
    expect(answer.code).toBe(3);
    expect(answer.stderr).toMatch(
      /^error: weft 9\.9\.9 \(01234567\) has a bug: undefined is not what it was\n {2}hint: report it/,
    );
    expect(answer.stderr).not.toContain(' at ');
    expect(
      (await weftWith({ env: broken, stderrIsTTY: true }, 'compile', '--color', 'never', '--debug')).stderr,
    ).toContain('TypeError: ');
    expect((await weft('compile')).code).toBe(2);
  });
});

describe('explain', () => {
  it.each([
    ['view', '; "weft explain verify/view" explains a diagnostic'],
    ['trace', ''],
  ])('leads from the command %s to its help', async (name, more) => {
    expect(await workspace().weft('explain', name)).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: "${name}" is a command\n  hint: run "weft ${name} --help"${more}\n`,
    });
  });

  it('leads from the lock to the codes about it', async () => {
    const { code, stderr } = await workspace().weft('explain', 'lock');
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(
        /^error: "lock" is in the codes of 6 diagnostics\n {2}hint: name one of them: .*lock\/contradiction.* and verify\/lock\n$/,
      ),
    ]);
  });

  it('prints the page of a code, also by its last part', async () => {
    const { weft } = workspace();
    const page = await weft('explain', 'topology/host-bits');
    expect(page.code).toBe(0);
    expect(page.stdout).toMatch(/^# topology\/host-bits/);
    expect((await weft('explain', 'host-bits')).stdout).toBe(page.stdout);
  });

  it.each(['topology/hots-bits', 'hots-bits'])('knows what was meant by %s', async (code) => {
    expect(await workspace().weft('explain', code)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('did you mean "topology/host-bits"?'),
    });
  });

  it('prints a key of the topology, or what it is as data', async () => {
    const { weft } = workspace();
    expect((await weft('explain', 'gateway.mtu')).stdout).toMatch(/^# gateway\.mtu\n\n[\s\S]*- default: `1340`\n/);
    expect(JSON.parse((await weft('explain', 'dial', '-o', 'json')).stdout).key).toMatchObject({
      name: 'gateway.dial',
      path: 'clusters.NAME.gateway.dial',
      type: 'a map',
      default: null,
      keys: ['address', 'port'],
    });
    const several = await weft('explain', 'mtu');
    expect([several.code, several.stdout]).toEqual([2, '']);
    expect(several.stderr).toContain('write more of its path: peerings.mtu, gateway.mtu');
  });

  it('lists all codes with their severity', async () => {
    const { stdout } = await workspace().weft('explain');
    expect(stdout).toMatch(/^ipam\/order-dependent +note +\S/m);
    expect(stdout).toMatch(/^topology\/host-bits +error +\S/m);
    const { codes } = JSON.parse((await workspace().weft('explain', '-o', 'json')).stdout);
    const [list = '', keys] = stdout.split('\n\n');
    expect(codes).toHaveLength(list.split('\n').length);
    expect(keys).toMatch(/^keys of the topology, .*: version, name, .*, clusters, /);
  });
});
