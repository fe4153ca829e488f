/* Programs that the pages of the SDK show. The tests of the site compile and run them. */

/** How a resource is used, those first that most programs use. */
export const resourceExamples = {
  tags: `const { result } = await client.tags.create({ name: 'VIP', color: 'pink' });
await client.tags.update(result, { name: 'VIP', color: 'blue' });`,
  friends: `for await (const found of client.friends.list({ search: 'mika' }))
  await client.friends.update(found, { status: 'resolved' });`,
  templates: `await client.templates.create({ name: 'Welcome', text: 'Hello!' });`,
  autoReplies: `await client.autoReplies.create({
  accountId: null, // for every account
  keyword: 'hours',
  matchType: 'contains',
  responseText: 'We are open from 9 to 5.',
  active: true,
});`,
  scenarios: `await client.scenarios.create({
  name: 'Welcome',
  accountId: null,
  trigger: 'tag', // or 'follow', 'manual'
  triggerTagId: tag.id,
  active: true,
  steps: [
    { delayValue: 1, delayUnit: 'days', sendTime: '10:00', text: 'Hi!' },
  ],
});`,
  forms: `await client.forms.create({
  accountId,
  name: 'Survey',
  title: 'How was it?',
  description: '',
  fields: [
    {
      key: 'answer',
      label: 'Your answer',
      type: 'textarea',
      required: true,
      options: [],
      placeholder: '',
    },
  ],
  submitTagId: tag.id, // a tag for who submits it, or null
  submitScenarioId: null,
  saveToProfile: false,
  thanksText: 'Thank you!',
  active: true,
});`,
  richMenus: `await client.richMenus.create({
  accountId,
  name: 'Main menu',
  chatBarText: 'Menu',
  size: 'compact',
  template: 'one',
  areas: [
    {
      x: 0,
      y: 0,
      width: 2500,
      height: 843,
      action: { type: 'uri', label: 'Shop', uri: 'https://shop.example' },
    },
  ],
});`,
  links: `await client.links.create({
  name: 'Spring page',
  url: 'https://shop.example/spring',
  tagId: tag.id, // a tag for who opens it, or null
  scenarioId: null,
});`,
  routes: `await client.routes.create({
  accountId,
  name: 'Poster',
  tagId: tag.id, // a tag for who comes this way, or null
  scenarioId: null,
});`,
  broadcasts: `await client.broadcasts.create({
  accountId,
  title: 'Spring sale',
  messages: [{ type: 'text', text: 'It begins today.' }],
  target: 'tags', // or 'all'
  tagIds: [tag.id],
  scheduledAt: null,
});`,
  conversations: `const { records } = await client.conversations.list({ accountId });
console.log(records[0]?.lastMessageText);`,
  studio: `for await (const { id } of client.studio.projects())
  for await (const { title } of client.studio.documents(id))
    console.log(title);`,
};

/** How types are used that no example of a resource shows. */
export const typeExamples = {
  Deletable: `await client.tags.delete(tag);`,
  OperationsApi: `for (const { operationId, state } of await client.operations.list())
  console.log(operationId, state);
await client.operations.resumeAll();`,
  ReadChat: `const { records } = await client.readChat({ resource: 'tags' });
console.log(records.length);`,
};
