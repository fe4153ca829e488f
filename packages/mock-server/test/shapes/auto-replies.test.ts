import { shop, textBlock } from '../../test-support/data.ts';
import { describeRules } from '../../test-support/shape-rules.ts';
import { flag, list, nullable, oneOf, optional, text, uuid } from '../../test-support/shape-values.ts';

describeRules([
  { clause: '5.3.1', on: 'auto-replies', at: 'accountId', ...nullable(uuid(shop)) },
  { clause: '5.3.2', on: 'auto-replies', at: 'keyword', ...text(1, 100) },
  { clause: '5.3.3', on: 'auto-replies', at: 'matchType', ...oneOf('contains', 'exact') },
  { clause: '5.3.4', on: 'auto-replies', at: 'responseText', ...text(1, 5000) },
  { clause: '5.3.5', on: 'auto-replies', at: 'content', ...optional(list(1, 5, textBlock)) },
  { clause: '5.3.6', on: 'auto-replies', at: 'active', ...flag },
]);
