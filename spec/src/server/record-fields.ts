import { configurationData, labelFields } from '../resources/configurations.ts';
import { configurationResources, type ReadableResource } from '../resources/names.ts';

/** The data fields of a friend as it is read. */
const friendFields = ['displayName', 'status', 'notes', 'tagIds'] as const;

/** The resources whose records have data and can be changed. */
export const changeableResources = [...configurationResources, 'friends'] as const;
export type ChangeableResource = (typeof changeableResources)[number];

export const isChangeable = (resource: string): resource is ChangeableResource =>
  changeableResources.some((one) => one === resource);

/** The names of the data fields of a record as it is read. */
export const listDataFields = (resource: ChangeableResource): readonly string[] =>
  resource === 'friends' ? friendFields : Object.keys(configurationData[resource].shape);

/** The data field that is the label of a record (D54). */
export const getLabelField = (resource: ChangeableResource): string =>
  resource === 'friends' ? 'displayName' : labelFields[resource];

/** The names of the fields that identify a record. */
export const getIdentityFields = (resource: ReadableResource): readonly string[] =>
  resource === 'friends' || resource === 'conversations' ? ['accountId', 'userId'] : ['id'];
