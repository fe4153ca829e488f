/*
 * What the packed SDK does on the runtime this is loaded by, as facts that the test compares with the README. It uses
 * nothing but the SDK and what every runtime has.
 */

const vip = { color: 'pink' };

/** @param sdk The exports of `@orgchat/sdk`. @param at Where the servers are. @param journals Make journals in files, by name, if there are files. */
export async function collectFacts(sdk, { baseUrl, controlUrl, brittleUrl, closedUrl }, journals) {
  const options = {
    apiKey: 'demo-write-key',
    baseUrl,
    pacing: false,
    retry: { baseDelayMs: 1, maxDelayMs: 2 },
  };
  const client = sdk.createClient(options);

  async function control(path, body) {
    const init = body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    };
    const response = await fetch(controlUrl + path, init);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }
  const requestsOf = async (operation) =>
    (await control('/requests')).requests.filter((entry) => entry.operation === operation).length;
  const nameOf = (promise) =>
    promise.then(
      () => 'resolved',
      (error) => error.name,
    );
  async function tagsNamed(name) {
    let found = 0;
    for await (const tag of client.tags.list()) if (tag.name === name) found++;
    return found;
  }

  /** Keywords whose answer is lost on a connection that an earlier call left open. */
  async function lostKeywords(by) {
    await by.account();
    await control('/faults', { effect: 'lose-response', operation: 'addSeoKeywords' });
    const before = await requestsOf('addSeoKeywords');
    await by.account();
    const outcome = await nameOf(by.keywords.add('demo-site', { keywords: [crypto.randomUUID()] }));
    return { outcome, requests: (await requestsOf('addSeoKeywords')) - before };
  }

  /** A change that is sent once by the SDK, and whose answer is lost. */
  async function lostChange() {
    const once = sdk.createClient({ ...options, retry: false });
    await control('/faults', { effect: 'lose-response', operation: 'changeChat' });
    const before = await requestsOf('changeChat');
    await once.account();
    const outcome = await nameOf(once.tags.create({ name: 'lost', ...vip }));
    return { outcome, requests: (await requestsOf('changeChat')) - before };
  }

  async function uncertainChange() {
    await control('/faults', {
      effect: 'uncertain',
      applied: true,
      action: 'create-tags',
      resolve: { afterRequests: 1 },
    });
    await client.account();
    const outcome = await nameOf(client.tags.create({ name: 'uncertain', ...vip }));
    await client.operations.resumeAll();
    return { outcome, tags: await tagsNamed('uncertain') };
  }

  async function brittleKeywords() {
    const brittle = sdk.createClient({ ...options, baseUrl: brittleUrl });
    const outcomes = [];
    for (let n = 0; n < 20; n++) {
      await brittle.account().catch(() => undefined);
      outcomes.push(await nameOf(brittle.keywords.add('s', { keywords: ['x'] })));
    }
    return outcomes.filter((outcome) => outcome === 'OutcomeUnknownError').length;
  }

  await control('/faults', { effect: 'lose-response', operation: 'changeChat', times: 2 });
  const { applied } = await client.tags.create({ name: 'once', ...vip });
  const facts = {
    account: typeof (await client.account()).organizationId,
    change: { applied, tags: await tagsNamed('once') },
    lostKeywords: await lostKeywords(client),
    lostKeywordsOwnFetch: await lostKeywords(
      sdk.createClient({ ...options, fetch: (request) => fetch(request) }),
    ),
    unknownKeywordsOnBrittleConnections: await brittleKeywords(),
    lostChange: await lostChange(),
    uncertainChange: await uncertainChange(),
    refusedConnection: await nameOf(
      sdk.createClient({ ...options, baseUrl: closedUrl, retry: false }).tags.create({ name: 'x', ...vip }),
    ),
  };
  if (!journals) return { ...facts, fileJournal: 'none' };
  for (const [name, journal] of Object.entries(journals)) {
    const durable = sdk.createClient({ ...options, journal: journal() });
    await durable.tags.create({ name: 'kept', ...vip });
    const again = sdk.createClient({ ...options, journal: journal() });
    facts[name] = (await again.operations.list()).map(({ state }) => state).join();
  }
  return facts;
}
