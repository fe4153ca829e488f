import { isObject } from '@orgchat/spec/is-object';
import { replaceUnsafe } from '@orgchat/spec/unsafe-characters';
import { useState } from 'preact/hooks';
import { ActionButton, CopyButton, Field } from '../../components/controls.tsx';
import { JsonView } from '../../components/json-view.tsx';
import { Facts, Load } from '../../components/panel.tsx';
import { Revision } from '../../components/revision.tsx';
import { toHref } from '../../components/route.ts';
import { Time } from '../../components/time.tsx';
import { Value } from '../../components/value.tsx';
import { ControlCallError, callControl } from '../../control-api/client.ts';
import type { AuditEntry } from '../../control-api/types.ts';
import { editableResources } from '../../generated/control-api.ts';
import { useControl } from '../../live/resource.ts';
import { AffectedByChange } from './affected-records.tsx';
import { Enrollments, useEnrollments } from './enrollments.tsx';
import { MessageForm } from './message-form.tsx';
import {
  changedFields,
  friendResources,
  isCopied,
  type ListedRecord,
  type RecordFields,
  toEditable,
  toEmptyLiteral,
} from './record-lists.ts';
import { getReferred, References } from './references.tsx';

interface RecordProps {
  readonly resource: string;
  readonly record: ListedRecord;
}

const isEditable = (resource: string): boolean => editableResources.some((name) => name === resource);

export function RecordDetail({ resource, record }: RecordProps) {
  const enrollments = useEnrollments(resource === 'friends' ? record : undefined);
  const fields = Object.entries(record.fields);
  const simple = fields.filter(([, value]) => isSimple(value));
  const nested = fields.filter(([, value]) => !isSimple(value));
  return (
    <>
      {friendResources.has(resource) && <MessageForm fields={record.fields} />}
      <section>
        <h3>Fields</h3>
        <Facts
          facts={[
            ...simple.map(([name, value]) => [name, <FieldValue name={name} value={value} />] as const),
            ...(resource === 'friends' ? [['Scenarios', <Enrollments of={enrollments} />] as const] : []),
          ]}
        />
      </section>
      {nested.map(([name, value]) => (
        <section key={name}>
          <h3>{name}</h3>
          <JsonView value={value} label={name} />
        </section>
      ))}
      {resource === 'sites' && <SiteKeywords siteId={record.id} />}
      <RecordHistory ids={[record.id, ...(resource === 'friends' ? getIds(enrollments) : [])]} />
      {isEditable(resource) && <RivalEdit resource={resource} record={record} />}
    </>
  );
}

/** The value of a field; the ids of other records have their names. */
function FieldValue({ name, value }: { readonly name: string; readonly value: unknown }) {
  const resource = getReferred(name);
  const ids = (Array.isArray(value) ? value : [value]).filter((id) => typeof id === 'string');
  if (resource !== undefined && ids.length > 0) return <References resource={resource} ids={ids} />;
  const literal = toEmptyLiteral(value);
  if (literal !== undefined) return <code class="none">{literal}</code>;
  if (typeof value !== 'string' || !isCopied(name, value)) return <Value of={value} />;
  return (
    <span class="to-copy">
      <Value of={value} /> <CopyButton text={value} label="Copy" />
    </span>
  );
}

/** Whether a value fits beside its name: a text, a number, or a list of them. */
const isSimple = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.every((item) => typeof item !== 'object')
    : typeof value !== 'object' || value === null;

/** Keywords that are shown of a site; the resource `keywords` has all. */
const mostKeywords = 50;

interface KeywordList {
  readonly keywords: readonly { readonly keyword: string; readonly group: string | null }[];
}

function SiteKeywords({ siteId }: { readonly siteId: string }) {
  const list = useControl<KeywordList>(`sites/${encodeURIComponent(siteId)}/keywords`, ['record', 'sandbox']);
  return (
    <section>
      <h3>Keywords</h3>
      <Load from={list}>
        {({ keywords }) => (
          <>
            {keywords.length === 0 && <p class="nothing">It has no keywords.</p>}
            <ul class="history">
              {keywords.slice(-mostKeywords).map(({ keyword, group }) => (
                <li key={keyword}>
                  <span>{keyword}</span>
                  {group !== null && <span class="quiet">{group}</span>}
                </li>
              ))}
            </ul>
            {keywords.length > 0 && (
              <p class="small">
                <a href={toHref('records', 'keywords')}>
                  All keywords ({keywords.length.toLocaleString('en-US')} of this site)
                </a>
              </p>
            )}
          </>
        )}
      </Load>
    </section>
  );
}

const getIds = (records: readonly RecordFields[] = []): readonly string[] =>
  records.map(({ id }) => String(id));

/** The changes of a record through the API, from the audit log. The enrollments of a friend are changes of it too. */
function RecordHistory({ ids }: { readonly ids: readonly string[] }) {
  const audit = useControl<{ readonly audit: readonly AuditEntry[] }>('audit', ['operation', 'sandbox']);
  return (
    <section>
      <h3>History of changes</h3>
      <Load from={audit}>
        {(list) => {
          const entries = list.audit.filter(({ recordId }) => ids.includes(recordId)).toReversed();
          if (entries.length === 0) return <p class="nothing">The audit log has no change of it.</p>;
          return (
            <ul class="history">
              {entries.map((entry) => (
                <li key={entry.id}>
                  <a href={toHref('requests', entry.requestId)}>{entry.action}</a>
                  <span>
                    <AffectedByChange of={entry} />
                  </span>
                  <Time at={entry.at} withDate />
                  <span class="quiet">by {entry.keyName}</span>
                  {entry.revisionAfter !== null && <Revision of={entry.revisionAfter} />}
                </li>
              ))}
            </ul>
          );
        }}
      </Load>
    </section>
  );
}

/** A form that changes the record as somebody else would, so that the next change of a client is refused with 409. */
function RivalEdit({ resource, record }: RecordProps) {
  const before = toEditable(resource, record.fields);
  const [text, setText] = useState<string>();
  const save = async (): Promise<void> => {
    const data = changedFields(before, parseFields(text ?? ''));
    if (Object.keys(data).length === 0) throw new ControlCallError('Nothing differs from the record.');
    await callControl('POST', 'edit', { resource, id: record.id, data });
    setText(undefined);
  };
  if (text === undefined) {
    return (
      <section>
        <h3>Edit as a rival</h3>
        <p>
          Changes the record as somebody else would. A client that read it before gets 409 with its next
          change.
        </p>
        <div class="buttons">
          <button
            type="button"
            class="button"
            onClick={() => setText(replaceUnsafe(JSON.stringify(before, null, 2)))}
          >
            Edit
          </button>
        </div>
      </section>
    );
  }
  return (
    <form class="form" onSubmit={(event) => event.preventDefault()}>
      <h3>Edit as a rival</h3>
      <Field label="Fields" hint="JSON. What you leave out stays.">
        {(attributes) => (
          <textarea
            {...attributes}
            spellcheck={false}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        )}
      </Field>
      <div class="form-actions">
        <ActionButton kind="primary" action={save} done="The record is changed.">
          Change it
        </ActionButton>
        <button type="button" class="button button-quiet" onClick={() => setText(undefined)}>
          Cancel
        </button>
      </div>
    </form>
  );
}

function parseFields(text: string): RecordFields {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ControlCallError(`This is not JSON: ${(error as Error).message}.`);
  }
  if (isObject(value)) return value as RecordFields;
  throw new ControlCallError('The fields must be a JSON object.');
}
