import { isObject } from '@orgchat/spec/is-object';
import { diffFields } from './field-diff.ts';

/** What differs with every change of a record says nothing about this one, and a label repeats the name. */
const ownFields = new Set(['revision', 'updatedAt', 'label']);

const format = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 1);

/** The fields that differ between two revisions of a record. */
export function FieldDiff({ before, after }: { readonly before: unknown; readonly after: unknown }) {
  const isNew = isObject(before) && Object.keys(before).length === 0;
  const changes = diffFields(before, after).filter(({ path }) => isNew || !ownFields.has(path));
  if (changes.length === 0) return <p class="nothing">Only revision and updatedAt differ.</p>;
  return (
    <dl class="diff">
      {changes.map((change) => (
        <div key={change.path}>
          <dt>{change.path}</dt>
          {change.before !== undefined && (
            <dd class="diff-before">
              <span class="visually-hidden">before: </span>
              {format(change.before)}
            </dd>
          )}
          {change.after !== undefined && (
            <dd class="diff-after">
              <span class="visually-hidden">after: </span>
              {format(change.after)}
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}
