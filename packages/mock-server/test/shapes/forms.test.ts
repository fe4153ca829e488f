import { data, field, shop, vip } from '../../test-support/data.ts';
import { describeRules } from '../../test-support/shape-rules.ts';
import { chars, flag, list, nullable, oneOf, text, uuid } from '../../test-support/shape-values.ts';

describeRules([
  { clause: '5.5.1', on: 'forms', at: 'accountId', ...uuid(shop) },
  { clause: '5.5.2', on: 'forms', at: 'name', ...text(1, 100) },
  { clause: '5.5.3', on: 'forms', at: 'title', ...text(1, 100) },
  { clause: '5.5.4', on: 'forms', at: 'description', ...text(0, 1000) },
  { clause: '5.5.5', on: 'forms', at: 'fields', ...list(1, 30, field) },
  { clause: '5.5.6', on: 'forms', at: 'submitTagId', ...nullable(uuid(vip)) },
  { clause: '5.5.7', on: 'forms', at: 'submitScenarioId', accepts: [null], rejects: ['x', undefined] },
  { clause: '5.5.8', on: 'forms', at: 'saveToProfile', ...flag },
  { clause: '5.5.9', on: 'forms', at: 'thanksText', ...text(0, 5000) },
  { clause: '5.5.10', on: 'forms', at: 'active', ...flag },
  {
    clause: '5.5.11',
    on: 'forms',
    at: 'fields.0.key',
    accepts: ['a', 'a_1', `a${chars(39, '9')}`],
    rejects: ['', 'A', '1a', '_a', 'a-b', `a${chars(40, '9')}`, ' a', 'a\n', null, undefined],
  },
  { clause: '5.5.12', on: 'forms', at: 'fields.0.label', ...text(1, 100) },
  {
    clause: '5.5.13',
    on: 'forms',
    at: 'fields.0.type',
    ...oneOf('text', 'textarea', 'email', 'tel', 'number', 'select', 'radio', 'checkbox', 'date'),
  },
  { clause: '5.5.14', on: 'forms', at: 'fields.0.required', ...flag },
  { clause: '5.5.15', on: 'forms', at: 'fields.0.options', ...list(0, 30, 'x') },
  {
    clause: '5.5.16',
    on: 'forms',
    at: 'fields.0.options.0',
    data: { ...data.forms, fields: [{ ...field, options: ['x'] }] },
    accepts: text(1, 100).accepts,
    rejects: ['', chars(101), 1],
  },
  { clause: '5.5.17', on: 'forms', at: 'fields.0.placeholder', ...text(0, 100) },
]);
