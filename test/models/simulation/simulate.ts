import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ClientEnd, runClient } from './client-process.ts';
import type { Bug } from './messages.ts';
import { judge, type Problem, type ServerData } from './oracle.ts';
import { createSeed, getClientKey, type Intent } from './plan.ts';
import { ServerProcess } from './server-process.ts';

export interface Simulation {
  readonly problems: readonly Problem[];
  /** Number of intents by outcome. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly clientDeaths: number;
  readonly serverDeaths: number;
}

async function read<T>(url: string): Promise<T> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return (await response.json()) as T;
}

interface State {
  readonly organizations: readonly [
    Pick<ServerData, 'tags' | 'links' | 'templates'> & {
      sites: readonly [{ keywords: readonly { keyword: string }[] }];
    },
  ];
}

/** Reads what a server stored. It is killed once more, so that only written data can be read. */
async function readServerData(server: ServerProcess): Promise<ServerData> {
  await server.restart();
  const controlUrl = server.baseUrl.replace('/api/v1', '/_mock');
  const { organizations } = await read<State>(`${controlUrl}/state`);
  const { audit } = await read<Pick<ServerData, 'audit'>>(`${controlUrl}/audit`);
  const [{ tags, links, templates, sites }] = organizations;
  return { tags, links, templates, keywords: sites[0].keywords.map(({ keyword }) => keyword), audit };
}

/** Resolves for all callers after `size` calls. */
function meeting(size: number): () => Promise<void> {
  let missing = size;
  let meet = (): void => {};
  const met = new Promise<void>((resolve) => {
    meet = resolve;
  });
  return () => {
    if (--missing === 0) meet();
    return met;
  };
}

/** Runs clients and a server in their own processes, and checks the final records. */
export async function simulate(
  intents: readonly Intent[],
  { clients, bug }: { readonly clients: number; readonly bug?: Bug },
): Promise<Simulation> {
  const folder = await mkdtemp(join(tmpdir(), 'orgchat-simulation-'));
  const seed = join(folder, 'seed.json');
  await writeFile(seed, JSON.stringify(createSeed(intents, clients)));
  const server = new ServerProcess({ data: join(folder, 'data'), seed, bug });
  try {
    await server.ready();
    const all = meeting(clients);
    const ends: ClientEnd[] = await Promise.all(
      Array.from({ length: clients }, (_, client) => {
        const own = intents.filter((intent) => (intent.client ?? client) === client);
        // If all clients have the same intents, they share one key and so one target of the journal.
        const apiKey = getClientKey(own[0]?.client ?? 0);
        const orders = {
          apiKey,
          baseUrl: server.baseUrl,
          journal: join(folder, 'journal'),
          intents: own,
          bug,
        };
        return runClient(orders, server, all);
      }),
    );
    const outcomes: Record<string, number> = {};
    for (const { outcome, verdict } of ends.flatMap(({ reports }) => reports)) {
      const name = verdict === undefined ? outcome : `${outcome}, by the records ${verdict}`;
      outcomes[name] = (outcomes[name] ?? 0) + 1;
    }
    const serverDeaths = server.deaths;
    const clientDeaths = ends.reduce((sum, { deaths }) => sum + deaths, 0);
    return {
      problems: judge(intents, ends, await readServerData(server)),
      outcomes,
      clientDeaths,
      serverDeaths,
    };
  } finally {
    await server.end();
    await rm(folder, { recursive: true, force: true });
  }
}
