import { expect, it } from 'vitest';
import { readableResources, singularNames, withArticle } from './names.ts';

it('names one record of each resource, with the right article', () => {
  expect(Object.keys(singularNames)).toEqual([...readableResources]);
  expect(readableResources.map((resource) => withArticle(singularNames[resource])).join(', ')).toBe(
    'an account, a tag, a template, an auto-reply, a scenario, a form, a rich menu, a link, a route, a broadcast, a friend, a conversation, a message, a form submission, a friend automation, a link click',
  );
});
