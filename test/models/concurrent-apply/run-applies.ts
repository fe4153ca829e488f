import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMock } from '@orgchat/mock-server';
import type { RecordRef } from '@orgchat/sdk';
import { type ConfigFile, requireValidConfig } from '../../../packages/cli/src/config/file/read-config.ts';
import { creationOrder } from '../../../packages/cli/src/config/file/references.ts';
import {
  type Organization,
  type RemoteRecord,
  toRemoteRecord,
} from '../../../packages/cli/src/config/organization.ts';
import { createPlan } from '../../../packages/cli/src/config/plan/create-plan.ts';
import { getName } from '../../../packages/cli/src/resources/read-list.ts';
import { builtCommand } from '../../../packages/cli/test-support/build.ts';
import { createRandom } from '../../test-support/random.ts';
import { newConfiguration } from './new-configuration.ts';

/*
 * Runs several `orgchat config apply` processes with one file at nearly the same time. In any order of their requests,
 * no record may exist twice, and the file must be applied.
 */

export interface ApplyRounds {
  readonly seed: number;
  readonly rounds: number;
  /** How many applies run at the same time. */
  readonly processes: number;
  /** Whether they share a state directory, as on one machine, or have one each, as on several. */
  readonly sharesState: boolean;
  /** How many records the file has. */
  readonly size: number;
}

export interface ApplyCounts {
  readonly rounds: number;
  /** Rounds after which a label was there twice. */
  readonly doubled: number;
  /** Rounds after which the organization was not as the file says. */
  readonly notApplied: number;
  /** Rounds in which no apply exited with 0, or one exited with a code other than 0 and 5. */
  readonly wrongExits: number;
  /** How often which exit code. */
  readonly exits: Readonly<Record<string, number>>;
  /** Answers that an operation had been applied before. */
  readonly replays: number;
  readonly problems: readonly string[];
}

const noRecords = Object.fromEntries(creationOrder.map((resource) => [resource, []])) as unknown as Record<
  (typeof creationOrder)[number],
  RemoteRecord[]
>;

/** How much later the next apply starts, in milliseconds. */
const [shortest, longest] = [20, 120];

/** Runs the rounds and counts what went wrong. */
export async function runConcurrentApplies(options: ApplyRounds): Promise<ApplyCounts> {
  const { seed, rounds, processes, sharesState, size } = options;
  const chance = createRandom(seed);
  const text = newConfiguration(size);
  const folder = mkdtempSync(join(tmpdir(), 'orgchat-applies-'));
  const file = join(folder, 'orgchat.json');
  writeFileSync(file, text);
  const mock = createMock({ rateLimit: 'off' });
  const { baseUrl, close } = await mock.listen({ port: 0 });
  const counts = { doubled: 0, notApplied: 0, wrongExits: 0, replays: 0 };
  const exits: Record<string, number> = {};
  const problems: string[] = [];
  const command = builtCommand().entry;
  const orgchat = (state: string, ...args: string[]) => run(command, baseUrl, join(folder, state), args);
  try {
    for (let round = 0; round < rounds; round++) {
      mock.reset();
      const running: Promise<ProcessResult>[] = [];
      for (let process = 0; process < processes; process++) {
        if (process > 0) await sleep(shortest + chance() * (longest - shortest));
        const state = `${round}-${sharesState ? 'shared' : process}`;
        running.push(orgchat(state, 'apply', file, '--yes', '--pacing', 'off', '-q', '--json'));
      }
      const ended = await Promise.all(running);
      const codes = ended.map(({ code }) => code);
      for (const code of codes) exits[code] = (exits[code] ?? 0) + 1;
      counts.replays += ended.reduce((sum, { output }) => sum + replayedIn(output), 0);
      const organization = await organizationAt(baseUrl);
      const twice = labelsTwice(organization);
      const left = differences(requireValidConfig(file, text), organization);
      const isWrong = !codes.includes('0') || codes.some((code) => code !== '0' && code !== '5');
      if (twice.length > 0) counts.doubled++;
      if (left.length > 0) counts.notApplied++;
      if (isWrong) counts.wrongExits++;
      if (twice.length > 0 || left.length > 0 || isWrong) {
        const outputs = ended.map(({ code, output }) => `${code}: ${output.slice(0, 1_000)}`);
        problems.push(
          [`round ${round}: twice: ${twice.join()}; left: ${left.join()}`, ...outputs].join('\n'),
        );
      }
      for (const { state } of ended) rmSync(state, { recursive: true, force: true });
    }
  } finally {
    await close();
    rmSync(folder, { recursive: true, force: true });
  }
  return { rounds, ...counts, exits, problems };
}

interface ProcessResult {
  readonly state: string;
  /** The exit code, or the signal. */
  readonly code: string;
  readonly output: string;
}

function run(
  command: string,
  baseUrl: string,
  state: string,
  args: readonly string[],
): Promise<ProcessResult> {
  mkdirSync(state, { recursive: true });
  const { PATH, HOME, NODE_OPTIONS } = process.env;
  const env = {
    ...{ PATH, HOME, NODE_OPTIONS },
    ORGCHAT_STATE_DIR: state,
    ORGCHAT_CONFIG_DIR: join(state, 'config'),
    ORGCHAT_BASE_URL: baseUrl,
    ORGCHAT_API_KEY: 'demo-write-key',
  };
  const child = spawn(process.execPath, [command, 'config', ...args], { env });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ state, code: `${code ?? signal}`, output }));
  });
}

function replayedIn(output: string): number {
  return Number(/"replayed": (\d+)/.exec(output)?.[1] ?? 0);
}

/** The configuration of the organization, as the command reads it. */
async function organizationAt(baseUrl: string): Promise<Organization> {
  const records = { ...noRecords };
  for (const resource of creationOrder)
    records[resource] = (await recordsAt(baseUrl, resource))
      .map((record) => toRemoteRecord(resource, { ...record }))
      .reverse();
  const accounts = (await recordsAt(baseUrl, 'accounts')).map((one) => ({
    id: one.id,
    label: getName({ ...one }),
  }));
  return { id: '', accountsLimited: false, accounts, records };
}

async function recordsAt(baseUrl: string, resource: string): Promise<RecordRef[]> {
  const all: RecordRef[] = [];
  for (;;) {
    const paging = resource === 'accounts' ? {} : { offset: all.length, limit: 50 };
    const response = await fetch(`${baseUrl}/chat/read`, {
      method: 'POST',
      headers: { Authorization: 'Bearer demo-write-key', 'Content-Type': 'application/json' },
      body: JSON.stringify({ resource, ...paging }),
    });
    const { records } = (await response.json()) as { records: readonly RecordRef[] };
    all.push(...records);
    if (records.length < 50) return all;
  }
}

/** The labels that more than one record has. */
function labelsTwice({ records }: Organization): string[] {
  return creationOrder.flatMap((resource) => {
    const labels = records[resource].map(({ label }) => label);
    const twice = labels.filter((label, index) => labels.indexOf(label) !== index);
    return twice.map((label) => `${resource} "${label}"`);
  });
}

/** What is still to be done so that the organization is as the file says. */
function differences(file: ConfigFile, organization: Organization): string[] {
  const options = { baseUrl: '', createdAt: '', path: null, prune: false, base: undefined };
  try {
    return createPlan(file, organization, options).steps.map(
      ({ action, resource, label }) => `${action} ${resource} "${label}"`,
    );
  } catch (error) {
    return [String(error)];
  }
}
