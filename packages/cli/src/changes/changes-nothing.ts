import { isSameData, pickData } from '@orgchat/sdk/internal';
import { configurationResources } from '@orgchat/spec';
import { isObject } from '@orgchat/spec/is-object';
import type { Row } from '../output/output.ts';
import { haveSameTags } from '../resources/equal-data.ts';

/**
 * Whether a change, as it is sent, would leave the record as it was read. What is sent has no white space around its texts, so
 * a stored text that has some is another one. A change that expects another revision or label is not one of them: the server has
 * to refuse it.
 */
export function changesNothing(change: Row, before: Row): boolean {
  const { action, data, tagIds, expectedRevision, expectedLabel } = change;
  if (expectedRevision !== before.revision || expectedLabel !== before.label) return false;
  if (action === 'set-friend-tags') return haveSameTags(tagIds, before.tagIds);
  if (!isObject(data)) return false;
  if (action === 'update-friend')
    return Object.entries(data).every(([name, value]) => isSameData(before[name], value));
  const resource = configurationResources.find((one) => action === `update-${one}`);
  return resource !== undefined && isSameData(pickData(resource, before), data);
}
