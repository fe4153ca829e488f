import { type ConfigurationResource, formatPath } from '@orgchat/spec';
import { beforeEach, describe, expect, it } from 'vitest';
import { createMock } from '../src/index.ts';
import { Caller } from './caller.ts';
import { data } from './data.ts';
import { withAt } from './paths.ts';
import type { Values } from './shape-values.ts';

/** The rule of a clause: the field it is about, and values that it accepts and rejects. */
export interface Rule extends Values {
  readonly clause: string;
  readonly on: ConfigurationResource;
  readonly at: string;
  /** Data that has the field. Default: the smallest valid data of the resource. */
  readonly data?: unknown;
}

/** Tests each rule: the mock accepts the values that the clause allows, and rejects the others. */
export function describeRules(rules: readonly Rule[]): void {
  const mock = createMock({ rateLimit: 'off', monthlyLimit: 'off' });
  const caller = new Caller(mock);
  const create = (on: ConfigurationResource, body: unknown) =>
    caller.apply({ action: `create-${on}`, data: body });

  beforeEach(() => mock.reset());

  describe.each(rules)('[$clause] $on: $at', ({ on, at, accepts, rejects, data: base = data[on] }) => {
    it('accepts what the clause allows', async () => {
      for (const value of accepts) {
        const { status, body } = await create(on, withAt(base, at, value));
        expect({ value, status, message: body.message }).toEqual({ value, status: 200, message: undefined });
      }
    });

    it('rejects the rest, and names the field', async () => {
      const keys = at.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key));
      const place = ` ${formatPath(['change', 'data', ...keys])}`;
      for (const value of rejects) {
        const { status, body } = await create(on, withAt(base, at, value));
        expect({ value, status, error: body.error }).toEqual({ value, status: 400, error: 'INVALID_INPUT' });
        expect({ value, message: body.message }).toEqual({ value, message: expect.stringContaining(place) });
      }
      expect(mock.operations()).toEqual([]);
    });
  });
}
