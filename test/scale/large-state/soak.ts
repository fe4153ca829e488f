import { createMock, generateSeed, type Listening, type Mock } from '@orgchat/mock-server';

const unlimited = { rateLimit: 'off', monthlyLimit: 'off' } as const;

interface Root {
  readonly baseUrl: string;
}

async function countFriends({ baseUrl }: Root): Promise<number> {
  const response = await fetch(`${baseUrl}/chat/read`, {
    method: 'POST',
    headers: { Authorization: 'Bearer demo-write-key' },
    body: JSON.stringify({ resource: 'friends', limit: 1 }),
  });
  const { total } = (await response.json()) as { total: number };
  return total;
}

async function send(url: string, method: string, body: string): Promise<Response> {
  const response = await fetch(url, { method, body });
  if (!response.ok) throw new Error(`${method} ${url} was answered ${response.status}`);
  return response;
}

/** Saves the state of a large organization over HTTP and loads it into another mock, in both ways there are. */
export async function soakLargeState(friends: number): Promise<Readonly<Record<string, number>>> {
  const mocks: Mock[] = [
    createMock({ ...unlimited, seed: generateSeed({ friends }) }),
    createMock(unlimited),
  ];
  const [from, to] = (await Promise.all(mocks.map((mock) => mock.listen({ port: 0 })))) as [
    Listening,
    Listening,
  ];
  try {
    const expected = await countFriends(from);
    const state = await (await fetch(`${from.controlUrl}/state`)).text();
    const made = await send(`${to.controlUrl}/sandboxes`, 'POST', `{"state":${state}}`);
    const loaded = [await countFriends((await made.json()) as Root)];
    await send(`${to.controlUrl}/state`, 'PUT', state);
    loaded.push(await countFriends(to));
    const wrong = loaded.filter((count) => count !== expected);
    if (wrong.length > 0) throw new Error(`expected ${expected} friends, and found ${wrong.join(' and ')}`);
    return { friends: expected, bytes: Buffer.byteLength(state), loaded: loaded.length };
  } finally {
    await Promise.all([from.close(), to.close()]);
  }
}
