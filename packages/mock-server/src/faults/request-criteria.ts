import { chatChange, operationNames, readableResources, studioReadInput } from '@orgchat/spec';
import * as z from 'zod';

/* The values by which faults and verifications select requests. */

export const operationName = z.enum(operationNames).meta({ id: 'OperationName' });

export const changeAction = z
  .enum(chatChange.options.map((option) => option.shape.action.value))
  .meta({ id: 'ChangeAction' });

const studioResources = studioReadInput.options.map((option) => option.shape.resource.value);

/** What a request reads or changes. */
export const requestResource = z
  .enum([...readableResources, ...studioResources])
  .meta({ id: 'RequestResource', description: 'What a request reads or changes.' });
