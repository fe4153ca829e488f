import { chatChange, operationNames, readableResources, studioReadInput } from '@orgchat/spec';
import * as z from 'zod';
import { memoize } from '../memoize.ts';

/* The values by which faults and verifications select requests. */

export const operationName = memoize(() => z.enum(operationNames).meta({ id: 'OperationName' }));

export const changeAction = memoize(() =>
  z.enum(chatChange.options.map((option) => option.shape.action.value)).meta({ id: 'ChangeAction' }),
);

/** What a request reads or changes. */
export const requestResource = memoize(() =>
  z
    .enum([...readableResources, ...studioReadInput.options.map((option) => option.shape.resource.value)])
    .meta({ id: 'RequestResource', description: 'What a request reads or changes.' }),
);
