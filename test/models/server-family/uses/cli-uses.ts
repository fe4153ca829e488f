import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseDocument } from 'yaml';
import type { Result, RunOptions } from '../../../../packages/cli/test-support/harness.ts';
import { idOf } from '../create-organization.ts';
import { assumed } from '../members/axes.ts';
import { resources } from '../server/inputs.ts';
import { keys } from '../server/service.ts';
import { canonical, promisedFields, requireStored } from './check-records.ts';
import type { Use } from './judge.ts';
import { type Row, Stage } from './stage.ts';
import { Refused, require } from './verdict-errors.ts';

/* What people do with the command, against a server over HTTP. */

const file = 'orgchat.yaml';
const serverFile = 'server.yaml';

/** Codes of a command that met an answer of an unknown shape. */
const refusals = ['UNEXPECTED_SHAPE', 'UNEXPECTED_ANSWER'];

/** A folder with a state of its own, from which the command reaches the server of a stage. */
interface Desk {
  readonly path: string;
  run(...args: string[]): Promise<Result>;
}

/** Requires that a command ended well; a clear refusal is thrown as one. */
function requireDone({ code, stdout, stderr }: Result): void {
  if (code === 0) return;
  const [, error = ''] = /"code": "(\w+)"/.exec(stdout) ?? [];
  const text = `exit ${code} ${error}: ${stdout.slice(0, 300)} ${stderr.slice(0, 200)}`;
  require(code === 1 && refusals.includes(error), text);
  throw new Refused(text);
}

type Records = Readonly<Record<string, readonly Row[] | undefined>>;
/** The records of a file, in an order of their own. If more accounts may exist, a file has their ids. */
function readRecords(text: string): Records {
  const records = parse(
    text.replaceAll(idOf('accounts'), 'Shop').replaceAll(idOf('accounts', 2), 'Salon'),
  ) as Records;
  const keyOf = ({ id }: Row): string => String(id).toLowerCase();
  const byId = (a: Row, b: Row): number => (keyOf(a) < keyOf(b) ? -1 : 1);
  return Object.fromEntries(resources.map((resource) => [resource, records[resource]?.toSorted(byId)]));
}

/** What runs the command, and a folder for its files. */
export interface CommandRunner {
  readonly folder: string;
  run(args: readonly string[], options: RunOptions): Promise<Result>;
}

export function createCliUses(cli: CommandRunner): readonly Use[] {
  let desks = 0;
  function createDesk({ description, options: { family, isDescribed } }: Stage): Desk {
    if (family === undefined) throw new Error('The command reaches a server over HTTP.');
    const folder = join(cli.folder, `desk-${++desks}`);
    mkdirSync(folder);
    writeFileSync(join(folder, serverFile), JSON.stringify(description));
    const given = ['--json', '--pacing', 'off', ...(isDescribed ? ['--server', serverFile] : [])];
    const env = {
      ORGCHAT_BASE_URL: family.baseUrl,
      ORGCHAT_API_KEY: keys.write,
      ORGCHAT_STATE_DIR: join(folder, 'state'),
      ORGCHAT_CONFIG_DIR: join(folder, 'config'),
    };
    const path = join(folder, file);
    return { path, run: (...args) => cli.run([...args, ...given], { env, cwd: folder }) };
  }

  const good = new Map<string, string>();
  /**
   * The file of a server as it is assumed, with the same records. What the server fills in is in it: without a common
   * state, an export leaves a file without it to people.
   */
  async function readGoodFile({ member, options: { family } }: Stage): Promise<string> {
    const { defaults } = member.choices;
    const found = good.get(defaults);
    if (found !== undefined || family === undefined) return found ?? '';
    const { service } = family;
    const assumedMember = { name: defaults, choices: { ...assumed, defaults } };
    const desk = createDesk(new Stage(assumedMember, { isDescribed: false, family }));
    const { code, stdout } = await desk.run('config', 'export', '-o', file);
    if (code !== 0) throw new Error(`A server as it is assumed could not be exported: ${stdout}`);
    family.service = service;
    const text = readFileSync(desk.path, 'utf8');
    good.set(defaults, text);
    return text;
  }

  const use = (name: string, run: (stage: Stage, desk: Desk) => Promise<void>): Use => ({
    name,
    resources: ['tags'],
    run: (stage) => run(stage, createDesk(stage)),
  });
  return [
    use('tags update NAME', async (stage, desk) => {
      const before = [...stage.records('tags')];
      const { data, label } = stage.record('tags');
      requireDone(await desk.run('tags', 'update', label, '--color', 'pink'));
      requireStored(stage.record('tags'), { ...data, color: 'pink' });
      require(stage.records('tags').length === before.length, 'the number of tags has changed');
    }),
    use('config export onto a good file', async (stage, desk) => {
      const before = await readGoodFile(stage);
      writeFileSync(desk.path, before);
      const result = await desk.run('config', 'export', '-o', file);
      const after = readFileSync(desk.path, 'utf8');
      require(result.code === 0 || after === before, 'a failed export has changed the file');
      requireDone(result);
      const [is, was] = [readRecords(after), readRecords(before)];
      for (const resource of resources) {
        const [now = [], earlier = []] = [is[resource], was[resource]];
        require(now.length === earlier.length, `${now.length} ${resource} of ${earlier.length} in the file`);
        const empty = now.find((one) => promisedFields(resource).some((name) => one[name] === undefined));
        require(empty === undefined, `a record of ${resource} without its data: ${JSON.stringify(empty)}`);
        require(canonical(now) === canonical(earlier), `${resource} differ from what is stored`);
      }
    }),
    use('config apply of an export', async (stage, desk) => {
      const exported = await desk.run('config', 'export', '-o', file);
      const before = [...stage.records('tags')];
      if (exported.code !== 0) writeFileSync(desk.path, await readGoodFile(stage));
      requireDone(await desk.run('config', 'apply', file, '--yes'));
      const isComplete = exported.code === 0 || stage.member.choices.blocks === 'known';
      require(!isComplete || stage.unchecked === 0, 'applying an export has changed something');
      stage.markChecked();
      const document = parseDocument(readFileSync(desk.path, 'utf8'));
      const tags = (document.toJS() as Records).tags ?? [];
      const at = tags.findIndex(({ name }) => name === 'Tag 1');
      require(at >= 0, 'the export has no tag "Tag 1"');
      document.setIn(['tags', at, 'color'], 'pink');
      writeFileSync(desk.path, String(document));
      requireDone(await desk.run('config', 'apply', file, '--yes'));
      requireStored(stage.record('tags'), { name: 'Tag 1', color: 'pink' });
      require(stage.unchecked === 1 &&
        stage.records('tags').length === before.length, 'more than one record was changed');
    }),
  ];
}
