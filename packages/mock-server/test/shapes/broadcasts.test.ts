import { shop, textBlock, vip } from '../../test-support/data.ts';
import { describeRules } from '../../test-support/shape-rules.ts';
import { items, list, oneOf, text, uuid } from '../../test-support/shape-values.ts';

describeRules([
  { clause: '5.9.1', on: 'broadcasts', at: 'accountId', ...uuid(shop) },
  { clause: '5.9.2', on: 'broadcasts', at: 'title', ...text(1, 100) },
  { clause: '5.9.3', on: 'broadcasts', at: 'messages', ...list(1, 5, textBlock) },
  { clause: '5.9.4', on: 'broadcasts', at: 'target', ...oneOf('all', 'tags') },
  { clause: '5.9.5', on: 'broadcasts', at: 'tagIds', ...list(0, 50, vip) },
  {
    clause: '5.9.6',
    on: 'broadcasts',
    at: 'scheduledAt',
    accepts: [null],
    rejects: ['2026-01-01T00:00:00Z', undefined, 0],
  },
  {
    clause: '5.9.7',
    on: 'broadcasts',
    at: 'accountIds',
    accepts: [items(2, shop), items(10, shop), null, undefined],
    rejects: [[], [shop], items(11, shop), shop],
  },
]);
