import { type ConfigurationResource, configurationResources } from '@orgchat/spec';
import { beforeEach, describe, expect, it } from 'vitest';
import { createMock } from '../../src/index.ts';
import { Caller } from '../../test-support/caller.ts';
import {
  data,
  design,
  imageBlock,
  metadataCondition,
  tagCondition,
  textBlock,
  withCard,
  withStep,
} from '../../test-support/data.ts';
import { withAt } from '../../test-support/paths.ts';

const mock = createMock({ rateLimit: 'off', monthlyLimit: 'off' });
const caller = new Caller(mock);
const create = (on: ConfigurationResource, body: unknown) =>
  caller.apply({ action: `create-${on}`, data: body });

beforeEach(() => mock.reset());

describe('[2.2] [2.3] unknown fields', () => {
  const places: readonly [ConfigurationResource, unknown, string][] = [
    ...configurationResources.map((on): [ConfigurationResource, unknown, string] => [on, data[on], 'extra']),
    ['scenarios', data.scenarios, 'steps.0.extra'],
    ['scenarios', withStep({ condition: tagCondition }), 'steps.0.condition.extra'],
    ['scenarios', withStep({ condition: metadataCondition }), 'steps.0.condition.extra'],
    ['scenarios', withStep({ content: [textBlock] }), 'steps.0.content.0.extra'],
    ['forms', data.forms, 'fields.0.extra'],
    ['rich-menus', data['rich-menus'], 'areas.0.extra'],
    ['rich-menus', data['rich-menus'], 'areas.0.action.extra'],
    ['rich-menus', { ...data['rich-menus'], design }, 'design.extra'],
    ['rich-menus', { ...data['rich-menus'], design }, 'design.areas.0.extra'],
    ['broadcasts', { ...data.broadcasts, messages: [imageBlock] }, 'messages.0.extra'],
    ['broadcasts', withCard({}), 'messages.0.extra'],
    ['broadcasts', withCard({}), 'messages.0.cards.0.extra'],
    ['broadcasts', withCard({}), 'messages.0.cards.0.buttons.0.extra'],
    ['broadcasts', withCard({}), 'messages.0.cards.0.buttons.0.action.extra'],
    ['broadcasts', data.broadcasts, 'status'],
  ];
  it.each(places)('are rejected in %s', async (on, base, at) => {
    expect((await create(on, base)).status).toBe(200);
    for (const name of [at, at.replace(/\w+$/, 'constructor')]) {
      const { status, body } = await create(on, withAt(base, name, 1));
      expect({ name, status }).toEqual({ name, status: 400 });
      expect(body.message).toContain(name.split('.').at(-1));
    }
  });

  it('are rejected if they are named __proto__, at every depth', async () => {
    const change = (inner: string): string =>
      `{"operationId":"${crypto.randomUUID()}","change":{"action":"create-tags","data":{"name":"x","color":"blue"${inner}}}}`;
    const raw = (text: string) => caller.send('/chat/changes', undefined, { raw: text });
    expect((await raw(change(''))).status).toBe(200);
    expect((await raw(change(',"__proto__":{"name":"y"}'))).status).toBe(400);
    expect((await raw('{"__proto__":1,"resource":"tags"}')).status).toBe(400);
    expect(({} as Record<string, unknown>).name).toBeUndefined();
  });
});
