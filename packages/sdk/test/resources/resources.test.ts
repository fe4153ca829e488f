import { expect, test } from 'vitest';
import { NotFoundError, type OrgChatClient, requireResult, StaleRevisionError } from '../../src/index.ts';
import { anyone, atEachDoor } from '../../test-support/mocked.ts';
import { getRejection } from '../../test-support/rejection.ts';

atEachDoor((at) => {
  const account = async (): Promise<string> => (await at.client.accounts.list()).records[0]?.id ?? '';
  const data = {
    tags: async () => ({ name: 'VIP', color: 'pink' as const }),
    templates: async () => ({ name: 'Hello', text: 'Hello.' }),
    autoReplies: async () => ({
      accountId: null,
      keyword: 'hours',
      matchType: 'exact' as const,
      responseText: 'Nine to five.',
      active: true,
    }),
    scenarios: async () => ({
      name: 'Welcome',
      accountId: null,
      trigger: 'manual' as const,
      triggerTagId: null,
      active: true,
      steps: [{ delayValue: 1, delayUnit: 'days' as const, sendTime: '09:30', text: 'Good morning.' }],
    }),
    forms: async () => ({
      accountId: await account(),
      name: 'Survey',
      title: 'Tell us',
      description: '',
      fields: [
        { key: 'mail', label: 'Mail', type: 'email' as const, required: true, options: [], placeholder: '' },
      ],
      submitTagId: null,
      submitScenarioId: null,
      saveToProfile: true,
      thanksText: '',
      active: true,
    }),
    richMenus: async () => ({
      accountId: await account(),
      name: 'Main',
      chatBarText: 'Menu',
      size: 'large' as const,
      template: 'one',
      areas: [
        { x: 0, y: 0, width: 10, height: 10, action: { type: 'message' as const, text: 'Hi', label: 'Hi' } },
      ],
    }),
    links: async () => ({ name: 'Page', url: 'https://example.com/', tagId: null, scenarioId: null }),
    routes: async () => ({ accountId: await account(), name: 'Counter', tagId: null, scenarioId: null }),
    broadcasts: async () => ({
      accountId: await account(),
      title: 'News',
      messages: [{ type: 'text' as const, text: 'News.' }],
      target: 'all' as const,
      tagIds: [],
      scheduledAt: null,
    }),
  };

  /** The life of a record, the same for every resource; `never` because each has data of its own. */
  async function life(resource: keyof typeof data): Promise<void> {
    const api = at.client[resource] as unknown as OrgChatClient['tags'];
    const given = (await data[resource]()) as never;
    const created = await api.create(given);
    expect(created).toMatchObject({ applied: true, replayed: false, auditRecorded: true, result: given });
    expect(await api.get(requireResult(created).id)).toEqual(created.result);
    const updated = await api.update(created.result, given);
    expect(requireResult(updated).revision).not.toBe(requireResult(created).revision);
    expect(await getRejection(api.update(created.result, given))).toBeInstanceOf(StaleRevisionError);
    const edited = await api.edit(requireResult(created).id, (now) => {
      expect(now).toEqual(given);
      return now;
    });
    const { records, total } = await api.list({ limit: 1 });
    expect(records).toHaveLength(1);
    expect(total).toBeGreaterThan(1);
    if (resource === 'richMenus') return expect('delete' in api).toBe(false);
    expect(await api.delete(edited.result)).toMatchObject({
      result: { id: requireResult(created).id, deleted: true },
    });
    expect(await getRejection(api.get(requireResult(created).id))).toBeInstanceOf(NotFoundError);
  }

  test.each(Object.keys(data) as (keyof typeof data)[])('%s: create, get, update, edit, list, delete', life);

  test('friends', async () => {
    const friend = await anyone(at.client);
    expect(await at.client.friends.get(friend)).toEqual(friend);
    const updated = await at.client.friends.update(friend, { notes: 'Likes tea', status: 'resolved' });
    expect(updated.result).toMatchObject({ notes: 'Likes tea', status: 'resolved' });
    const tag = await at.client.tags.create({ name: 'VIP', color: 'pink' });
    const tagged = await at.client.friends.setTags(updated.result, [requireResult(tag).id]);
    expect(requireResult(tagged).tagIds).toEqual([requireResult(tag).id]);
    const edited = await at.client.friends.edit(friend, ({ notes }) => ({ notes: `${notes}.` }));
    expect(edited.result).toMatchObject({ notes: 'Likes tea.', status: 'resolved' });
    const scenario = await at.client.scenarios.create(await data.scenarios());
    const enrolled = await at.client.friends.enroll(friend, requireResult(scenario));
    expect(enrolled.result).toMatchObject({ scenarioId: requireResult(scenario).id, userId: friend.userId });
    expect((await at.client.friends.automations(friend)).records[0]).toMatchObject({
      id: requireResult(enrolled).id,
    });
    expect((await at.client.friends.messages(friend, { limit: 1 })).records).toHaveLength(1);
    const named = await at.client.friends.list({ accountId: friend.accountId, search: friend.displayName });
    expect(named.records.map(({ userId }) => userId)).toContain(friend.userId);
  });

  test('conversations, submissions, clicks', async () => {
    const accountId = await account();
    const conversations = await at.client.conversations.list({ accountId });
    expect(conversations.records.every((one) => one.accountId === accountId)).toBe(true);
    let submissions = 0;
    for await (const form of at.client.forms.list())
      submissions += (await at.client.forms.submissions(form.id)).records.length;
    let clicks = 0;
    for await (const link of at.client.links.list())
      clicks += (await at.client.links.clicks(link.id)).records.length;
    expect([submissions > 0, clicks > 0]).toEqual([true, true]);
  });

  test('studio: projects, documents page by page, one document', async () => {
    const projects: string[] = [];
    const perProject = new Map<string, number>();
    for await (const project of at.client.studio.projects()) {
      projects.push(project.name);
      let count = 0;
      for await (const document of at.client.studio.documents(project)) {
        if (count++ === 0) {
          const read = await at.client.studio.document(project, document);
          expect(read).toMatchObject({ project: { id: project.id }, document: { id: document.id } });
          expect(read.document.body).toBeTypeOf('string');
        }
      }
      perProject.set(project.id, count);
    }
    expect(projects.length).toBeGreaterThan(1);
    expect(Math.max(...perProject.values())).toBeGreaterThan(50);
    const archived = await at.client.studio.projects({ archived: true });
    expect(archived.projects.every((project) => project.archived)).toBe(true);
    const bare = await at.client.readStudio({ resource: 'projects' });
    expect(bare.projects.length).toBeGreaterThan(0);
  });
});
