import fs from 'node:fs';
import { basename, join } from 'node:path';
import { getThisProcess } from '@orgchat/atomic-files';
import type { FileCall } from '@orgchat/atomic-files/test-support/file-system';
import type { Mock } from '@orgchat/mock-server';
import type { OrgChatClient } from '../../src/index.ts';
import { toDay } from '../../src/journal/file/names.ts';
import { filesBelow } from './journal-folder.ts';

/** A statement of a program that has a journal, and what it meets. */
export interface JournalScenario {
  /** What went before, all of it well. */
  readonly before?: (client: OrgChatClient, folder: string) => Promise<unknown>;
  /** What `act` meets at the server. */
  readonly meets?: () => unknown;
  readonly act: (client: OrgChatClient) => Promise<unknown>;
  /** The code of the error that `act` rejects with if no file fails. */
  readonly told?: string;
  /** Whether `act` has an intent, and is made again in the end. */
  readonly isGiven?: true;
  /** An earlier write left it open, so it may be applied whatever the result of this one is. */
  readonly isOpen?: true;
  /** Whether `act` is a method of `operations`, which throws what its journal throws. */
  readonly asks?: true;
  /** How often the server has applied something in the end. Default 1. */
  readonly times?: number;
  /** Whether an unreadable file is left, under a name of its own. */
  readonly leavesFile?: true;
  readonly durable?: true;
  /** A call that this file system does not know. */
  readonly without?: FileCall;
}

const once = { operationId: '6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21', waitForOther: false };
const vip = { name: 'VIP', color: 'pink' } as const;

const create = (client: OrgChatClient) => client.tags.create(vip);
const given = (client: OrgChatClient) => client.tags.create(vip, once);
const keywords = (client: OrgChatClient) => client.keywords.add('demo-site', { keywords: ['once'] }, once);

/** The one file of a folder. */
const only = (folder: string): string => join(folder, filesBelow(folder)[0] ?? '');

/** The settled file of a folder: its name below it. */
const settledFile = (folder: string): string =>
  filesBelow(folder).find((name) => name.startsWith('settled')) ?? '';

/** Makes the settled file that many days old. */
function moveToDay(folder: string, daysAgo: number): void {
  const day = join(folder, 'settled', toDay(Date.now() - daysAgo * 86_400_000));
  fs.mkdirSync(day);
  fs.renameSync(join(folder, settledFile(folder)), join(day, basename(settledFile(folder))));
}

/** Puts the file back that a process held when it settled its entry, and died. */
function openAgain(folder: string): void {
  const { entry } = JSON.parse(fs.readFileSync(join(folder, settledFile(folder)), 'utf8'));
  const owner = { ...getThisProcess(), pid: 2 ** 30 };
  const open = { entry: { ...entry, state: 'pending' }, owner };
  fs.writeFileSync(join(folder, basename(settledFile(folder))), JSON.stringify(open));
}

async function edit(client: OrgChatClient): Promise<unknown> {
  const { records } = await client.tags.list();
  const { id } = records.find(({ name }) => name.startsWith('Edited')) ?? { id: '' };
  const intent = ['a plus'];
  return client.tags.edit(id, (data) => ({ ...data, name: `${data.name}+` }), {
    intent,
    waitForOther: false,
  });
}

/** The writes of a scenario, whatever their outcome at the server. */
export function journalScenarios(mock: Mock): Readonly<Record<string, JournalScenario>> {
  const arm =
    (effect: 'drop-request' | 'lose-response') => (operation: 'changeChat' | 'addSeoKeywords') => () =>
      mock.faults.arm({ effect, operation });
  const drops = arm('drop-request');
  const loses = arm('lose-response');
  const refuses = (operation: 'changeChat' | 'addSeoKeywords') => () =>
    mock.faults.arm({ effect: 'respond', status: 403, error: 'FORBIDDEN', operation });
  const rival = () => mock.faults.arm({ effect: 'rival-edit', operation: 'changeChat' });

  /** A statement that fails, or whose outcome is unknown. */
  const failed = (meets: () => unknown, act: JournalScenario['act']) => async (client: OrgChatClient) => {
    meets();
    await act(client).catch(() => undefined);
  };

  /** A record to be edited. It is as it would be if another program had made it. */
  async function record(client: OrgChatClient): Promise<void> {
    const { operationId } = await client.tags.create({ name: 'Edited', color: 'pink' }).withResponse();
    await client.operations.forget(operationId ?? '');
    mock.requests.clear();
  }

  return {
    'a change': { act: create },
    'a durable change': { act: create, durable: true },
    'a change under an id': { act: given, isGiven: true },
    'a durable change under an id, without links': {
      act: given,
      isGiven: true,
      durable: true,
      without: 'linkSync',
    },
    'a change that is refused': {
      meets: refuses('changeChat'),
      act: create,
      told: 'FORBIDDEN',
      times: 0,
    },
    'a durable change under an id that is refused': {
      meets: refuses('changeChat'),
      act: given,
      told: 'FORBIDDEN',
      isGiven: true,
      durable: true,
    },
    'a change whose answer is lost': {
      meets: loses('changeChat'),
      act: given,
      told: 'OUTCOME_UNKNOWN',
      isGiven: true,
    },
    'a change sent again after it was refused': {
      before: failed(refuses('changeChat'), given),
      act: given,
      isGiven: true,
    },
    'a change whose entry is torn': {
      before: async (client, folder) => {
        await failed(drops('changeChat'), given)(client);
        fs.truncateSync(only(folder), 40);
      },
      act: given,
      isGiven: true,
      leavesFile: true,
    },
    'a durable change made again after it was lost': {
      before: failed(drops('changeChat'), given),
      act: given,
      isGiven: true,
      isOpen: true,
      durable: true,
    },
    keywords: { act: keywords, isGiven: true },
    'keywords that are refused': {
      meets: refuses('addSeoKeywords'),
      act: keywords,
      told: 'FORBIDDEN',
      isGiven: true,
    },
    'keywords whose answer is lost': {
      meets: loses('addSeoKeywords'),
      act: keywords,
      told: 'OUTCOME_UNKNOWN',
      isGiven: true,
    },
    'keywords sent again after they were refused': {
      before: failed(refuses('addSeoKeywords'), keywords),
      act: keywords,
      isGiven: true,
    },
    'an edit with an intent and a rival': { before: record, meets: rival, act: edit, isGiven: true },
    'an edit with an intent, made again after a rival and it': {
      before: async (client) => {
        await record(client);
        rival();
        await edit(client);
      },
      act: edit,
      isGiven: true,
      isOpen: true,
    },
    'resumeAll of what two dead processes left': {
      before: async (client, folder) => {
        await failed(drops('changeChat'), given)(client);
        const entry = only(folder);
        const owner = { ...getThisProcess(), pid: 2 ** 30 };
        fs.writeFileSync(entry, JSON.stringify({ ...JSON.parse(fs.readFileSync(entry, 'utf8')), owner }));
        fs.writeFileSync(`${entry}.lock`, JSON.stringify({ ...owner, pid: 2 ** 30 + 1 }));
      },
      act: (client) => client.operations.resumeAll(),
      isOpen: true,
      asks: true,
    },
    'resumeAll of two changes and of keywords': {
      before: async (client) => {
        await failed(drops('changeChat'), create)(client);
        await failed(loses('changeChat'), given)(client);
        await failed(drops('addSeoKeywords'), (one) => one.keywords.add('demo-site', { keywords: ['x'] }))(
          client,
        );
      },
      act: (client) => client.operations.resumeAll(),
      isOpen: true,
      asks: true,
      times: 2,
    },
    'a change made again that was settled on another day': {
      before: async (client, folder) => {
        await given(client);
        moveToDay(folder, 2);
      },
      act: given,
      isGiven: true,
    },
    'a change sent again that was refused on another day': {
      before: async (client, folder) => {
        await failed(refuses('changeChat'), given)(client);
        moveToDay(folder, 2);
      },
      act: given,
      isGiven: true,
    },
    'keywords made again that were settled on another day': {
      before: async (client, folder) => {
        await keywords(client);
        moveToDay(folder, 2);
      },
      act: keywords,
      isGiven: true,
    },
    'a change made again whose settled entry is torn': {
      before: async (client, folder) => {
        await given(client);
        fs.truncateSync(only(folder), 40);
      },
      act: given,
      isGiven: true,
      leavesFile: true,
    },
    'resumeAll of what a process settled that died before it removed the open file': {
      before: async (client, folder) => {
        await given(client);
        openAgain(folder);
      },
      act: (client) => client.operations.resumeAll(),
      isOpen: true,
      asks: true,
    },
    'resumeAll of what a process was settling when it died': {
      before: async (client, folder) => {
        await given(client);
        openAgain(folder);
        fs.truncateSync(join(folder, settledFile(folder)), 40);
      },
      act: (client) => client.operations.resumeAll(),
      isOpen: true,
      asks: true,
    },
    'a change where an earlier version settled others, and a day is to go': {
      before: async (client, folder) => {
        await failed(refuses('changeChat'), create)(client);
        fs.renameSync(join(folder, settledFile(folder)), join(folder, basename(settledFile(folder))));
        await failed(refuses('changeChat'), create)(client);
        moveToDay(folder, 9);
      },
      act: create,
    },
    'forget of what was settled on another day': {
      before: async (client, folder) => {
        await failed(refuses('changeChat'), given)(client);
        moveToDay(folder, 2);
      },
      act: (client) => client.operations.forget(once.operationId),
      isOpen: true,
      asks: true,
      times: 0,
    },
    forget: {
      before: failed(drops('changeChat'), given),
      act: (client) => client.operations.forget(once.operationId),
      isOpen: true,
      asks: true,
      times: 0,
    },
  };
}
