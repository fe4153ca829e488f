import { imageBlock, metadataCondition, shop, step, tagCondition, vip, withStep } from '../data.ts';
import { describeRules } from './rules.ts';
import { flag, integer, list, nullable, oneOf, optional, text, uuid } from './values.ts';

describeRules([
  { clause: '5.4.1', on: 'scenarios', at: 'name', ...text(1, 100) },
  { clause: '5.4.2', on: 'scenarios', at: 'accountId', ...nullable(uuid(shop)) },
  { clause: '5.4.3', on: 'scenarios', at: 'trigger', ...oneOf('follow', 'tag', 'manual') },
  { clause: '5.4.4', on: 'scenarios', at: 'triggerTagId', ...nullable(uuid(vip)) },
  { clause: '5.4.5', on: 'scenarios', at: 'active', ...flag },
  { clause: '5.4.6', on: 'scenarios', at: 'steps', ...list(1, 20, step) },
  { clause: '5.4.7', on: 'scenarios', at: 'steps.0.delayValue', ...integer(0, 525_600) },
  { clause: '5.4.8', on: 'scenarios', at: 'steps.0.delayUnit', ...oneOf('minutes', 'hours', 'days') },
  {
    clause: '5.4.9',
    on: 'scenarios',
    at: 'steps.0.sendTime',
    takes: ['00:00', '23:59', '19:05', null],
    refuses: ['24:00', '9:30', '12:60', '09:30 ', '09:30\n', undefined],
  },
  { clause: '5.4.10', on: 'scenarios', at: 'steps.0.text', ...text(1, 5000) },
  { clause: '5.4.11', on: 'scenarios', at: 'steps.0.content', ...optional(list(1, 5, imageBlock)) },
  {
    clause: '5.4.12',
    on: 'scenarios',
    at: 'steps.0.timingMode',
    ...optional(oneOf('relative', 'elapsed', 'absolute_time')),
  },
  {
    clause: '5.4.13',
    on: 'scenarios',
    at: 'steps.0.condition',
    takes: [
      tagCondition,
      { ...tagCondition, type: 'tag_not_exists' },
      metadataCondition,
      { ...metadataCondition, type: 'metadata_not_equals' },
      undefined,
    ],
    refuses: [
      { type: 'other' },
      {},
      { ...tagCondition, key: 'x' },
      { type: 'tag_exists' },
      { type: 'metadata_equals', key: 'x' },
    ],
  },
  { clause: '5.4.14', on: 'scenarios', at: 'steps.0.nextStepOnFalse', ...optional(nullable(integer(0, 19))) },
  {
    clause: '5.4.15',
    on: 'scenarios',
    at: 'steps.0.condition.tagId',
    data: withStep({ condition: tagCondition }),
    ...uuid(vip),
  },
  {
    clause: '5.4.16',
    on: 'scenarios',
    at: 'steps.0.condition.key',
    data: withStep({ condition: metadataCondition }),
    ...text(1, 100),
  },
  {
    clause: '5.4.17',
    on: 'scenarios',
    at: 'steps.0.condition.value',
    data: withStep({ condition: metadataCondition }),
    ...text(0, 1000),
  },
  { clause: '5.4.18', on: 'scenarios', at: 'steps.0.condition', takes: [null], refuses: ['null'] },
]);
