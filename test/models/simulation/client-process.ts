import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { bundleProgram } from '../../test-support/bundle-program.ts';
import type { Answer, ClientOrders, Question, Report } from './messages.ts';
import type { ServerProcess } from './server-process.ts';

const program = fileURLToPath(new URL('./client-program.ts', import.meta.url));

type ClientQuestion = Question & { readonly number: number };

/** The result of one client. */
export interface ClientEnd {
  readonly reports: readonly Report[];
  /** Labels that were known to be applied at some time. */
  readonly applied: ReadonlySet<string>;
  readonly deaths: number;
}

/** Runs a client to its end. Restarts it with the same journal whenever it is killed. */
export async function runClient(
  orders: Omit<ClientOrders, 'struck'>,
  server: ServerProcess,
  all: () => Promise<void>,
): Promise<ClientEnd> {
  const struck = new Set<string>();
  const applied = new Set<string>();
  let reports: readonly Report[] | undefined;
  for (let deaths = 0; ; deaths++) {
    const started = JSON.stringify({ ...orders, struck: [...struck] });
    const child = spawn(process.execPath, [bundleProgram(program), started], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child.on('message', (asked: ClientQuestion) => {
      if (asked.ask === 'applied') applied.add(asked.label);
      if (asked.ask === 'hazard') struck.add(asked.label);
      if (asked.ask === 'report') reports = asked.reports;
      reply(child, asked, server, all);
    });
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
    if (reports !== undefined) return { reports, applied, deaths };
    if (signal !== 'SIGKILL') throw new Error(`A client of ${orders.apiKey} ended with ${code ?? signal}`);
  }
}

async function reply(
  child: ChildProcess,
  asked: ClientQuestion,
  server: ServerProcess,
  all: () => Promise<void>,
): Promise<void> {
  if (asked.ask === 'all') await all();
  if (asked.ask === 'hazard' && asked.server !== undefined) await server.doom(asked.server);
  const pid = asked.ask === 'server' || asked.ask === 'hazard' ? await server.ready() : 0;
  // The client may be dead by now.
  if (child.connected) child.send({ to: asked.number, pid } satisfies Answer, () => {});
}
