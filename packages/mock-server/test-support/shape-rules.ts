import { type ConfigurationResource, formatPath } from '@orgchat/spec';
import { beforeEach, describe, expect, it } from 'vitest';
import { createMock } from '../src/index.ts';
import { Caller } from './caller.ts';
import { data } from './data.ts';
import { withAt } from './paths.ts';
import type { Values } from './shape-values.ts';

/** A clause: where in the data of a resource it speaks, what it takes and what it refuses. */
export interface Rule extends Values {
  readonly clause: string;
  readonly on: ConfigurationResource;
  readonly at: string;
  /** Data in which the place exists. */
  readonly data?: unknown;
}

/** Tests of each rule: the mock takes what the clause allows, and refuses the rest. */
export function describeRules(rules: readonly Rule[]): void {
  const mock = createMock({ rateLimit: 'off', monthlyLimit: 'off' });
  const caller = new Caller(mock);
  const create = (on: ConfigurationResource, body: unknown) =>
    caller.apply({ action: `create-${on}`, data: body });

  beforeEach(() => mock.reset());

  describe.each(rules)('[$clause] $on: $at', ({ on, at, takes, refuses, data: base = data[on] }) => {
    it('takes what the clause allows', async () => {
      for (const value of takes) {
        const { status, body } = await create(on, withAt(base, at, value));
        expect({ value, status, message: body.message }).toEqual({ value, status: 200, message: undefined });
      }
    });

    it('refuses the rest, and says where', async () => {
      const keys = at.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key));
      const place = ` ${formatPath(['change', 'data', ...keys])}`;
      for (const value of refuses) {
        const { status, body } = await create(on, withAt(base, at, value));
        expect({ value, status, error: body.error }).toEqual({ value, status: 400, error: 'INVALID_INPUT' });
        expect({ value, message: body.message }).toEqual({ value, message: expect.stringContaining(place) });
      }
      expect(mock.operations()).toEqual([]);
    });
  });
}
