import { expect, test } from 'vitest';
import { idFields } from './id-fields.ts';
import { friendReferences, referenceFields, references } from './references.ts';

test('a field has ids of one resource only, in every record', () => {
  const all = [...Object.values(references).flat(), ...friendReferences];
  const wrong = all.filter(({ path, resource }) => {
    const field = path.findLast((step) => step !== '*') ?? '';
    return referenceFields.get(field) !== resource || !idFields.has(field);
  });
  expect(wrong).toEqual([]);
  expect(referenceFields.get('submitScenarioId')).toBe('scenarios');
  expect(referenceFields.get('accountIds')).toBe('accounts');
  expect(referenceFields.get('tagIds')).toBe('tags');
});
