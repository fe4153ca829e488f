import { shop, vip } from '../../test-support/data.ts';
import { describeRules } from '../../test-support/shape-rules.ts';
import { chars, nullable, oneOf, text, uuid } from '../../test-support/shape-values.ts';

/* Resources whose data has no lists and no objects. */
describeRules([
  { clause: '5.1.1', on: 'tags', at: 'name', ...text(1, 100) },
  {
    clause: '5.1.2',
    on: 'tags',
    at: 'color',
    ...oneOf('neutral', 'blue', 'purple', 'brown', 'pink', 'orange', 'green'),
  },
  { clause: '5.2.1', on: 'templates', at: 'name', ...text(1, 100) },
  { clause: '5.2.2', on: 'templates', at: 'text', ...text(1, 5000) },
  { clause: '5.7.1', on: 'links', at: 'name', ...text(1, 100) },
  {
    clause: '5.7.2',
    on: 'links',
    at: 'url',
    accepts: ['http://', 'https://', 'https://a b', ' https://x', 'https://x\n', `https://${chars(1992)}`],
    rejects: ['ftp://x', 'HTTP://x', 'x', '', ' ', 'x https://x', `https://${chars(1993)}`, null, undefined],
  },
  { clause: '5.7.3', on: 'links', at: 'tagId', ...nullable(uuid(vip)) },
  { clause: '5.7.4', on: 'links', at: 'scenarioId', accepts: [null], rejects: ['x', undefined] },
  { clause: '5.8.1', on: 'routes', at: 'accountId', ...uuid(shop) },
  { clause: '5.8.2', on: 'routes', at: 'name', ...text(1, 100) },
  { clause: '5.8.3', on: 'routes', at: 'tagId', ...nullable(uuid(vip)) },
  { clause: '5.8.4', on: 'routes', at: 'scenarioId', accepts: [null], rejects: ['x', undefined] },
]);
