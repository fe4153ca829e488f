import type { ReadableResource } from '@orgchat/spec';
import type * as z from 'zod';

/** Lists of records that have a command of their own below another resource's. */
const resourcesByCommand: Readonly<Record<string, ReadableResource>> = {
  'forms submissions': 'form-submissions',
  'links clicks': 'link-clicks',
  'friends messages': 'messages',
  'friends automations': 'friend-automations',
};

const fieldsOfOutcome = ['operationId', 'applied', 'replayed', 'auditRecorded', 'result'];

/** The fields that a command prints, from the schemas, so that `--fields` is completed without the network. */
export async function fieldsPrintedBy(path: readonly string[]): Promise<readonly string[]> {
  const spec = await import('@orgchat/spec');
  const [group = '', name = ''] = path;
  const listFieldNames = (schema: z.ZodObject): string[] => Object.keys(schema.shape);
  if (group === 'account') return listFieldNames(spec.accountResponse);
  if (group === 'studio' && name === 'projects') return listFieldNames(spec.studioProject);
  if (group === 'studio' && name === 'documents') return listFieldNames(spec.studioDocumentSummary);
  if (['create', 'update', 'delete', 'tag', 'enroll'].includes(name)) return fieldsOfOutcome;
  const own = resourcesByCommand[`${group} ${name}`];
  const resource = own ?? spec.readableResources.find((known) => known === group);
  if (resource === undefined) return [];
  const fields = listFieldNames(spec.records[resource]);
  return group === 'friends' && name === 'get' ? [...fields, 'tags'] : fields;
}
