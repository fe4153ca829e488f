import { labelFields } from '@orgchat/sdk/internal';
import { isObject } from '@orgchat/spec/is-object';
import { configurationResources } from '@orgchat/spec/resources/names';
import type { Row } from '../../output/output.ts';

/** The columns of operations in a table. */
export const operationColumns = [
  'record',
  'what',
  'state',
  'operationId',
  'error.code',
  'createdAt',
  'attempts',
];

/** An entry with what it does, its action or the site that keywords are for, and with the name of its record. */
export function toOperationRow(entry: Row): Row {
  const change = isObject(entry.change) ? entry.change : undefined;
  return {
    ...entry,
    what: change?.action ?? entry.path,
    record: change === undefined ? null : findRecordName(change),
  };
}

/**
 * The name of the record of a change, as far as the change has it: of what it creates, else the label that it expects, else the
 * user id of a friend.
 */
function findRecordName({ action, data, expectedLabel, userId }: Row): unknown {
  const resource = configurationResources.find((one) => action === `create-${one}`);
  const created = resource !== undefined && isObject(data) ? data[labelFields[resource]] : undefined;
  return created ?? expectedLabel ?? userId ?? null;
}
