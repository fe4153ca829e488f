import type { ResolvedShape } from '../generated/resolved-shape.ts';
import { identityFields } from '../generated/resources.ts';
import { isObject } from '../values.ts';
import { readPointer, toPointer } from './json-pointer.ts';
import { listDataFields } from './record-problems.ts';

type Fields = Record<string, unknown>;
type RecordShape = ResolvedShape['record'];

export const pickFields = (given: Readonly<Fields>, isWanted: (name: string) => boolean): Fields =>
  Object.fromEntries(Object.entries(given).filter(([name]) => isWanted(name)));

/** Whether a server sends guards and data where the rest of the package expects them, so that nothing has to be moved. */
export const isUsual = ({ revision, label, data, rename }: RecordShape): boolean =>
  revision === '/revision' && label === '/label' && data === '' && Object.keys(rename).length === 0;

/** Moves guards and data to where the rest of the package expects them. */
export function moveFields(resource: string, sent: Readonly<Fields>, shape: RecordShape): Fields {
  const { revision, label, data: place, rename } = shape;
  const inner: unknown = place === '' ? undefined : readPointer(sent, place);
  const values = isObject(inner) ? inner : {};
  const names = listDataFields(resource);
  const outer = place === '' ? sent : pickFields(sent, (name) => !names.includes(name));
  // Identity and guards are beside the data, never in them.
  const ownFields = [...(identityFields[resource] ?? ['id']), 'revision', 'label'];
  const moved: Fields = { ...pickFields(values, (name) => !ownFields.includes(name)), ...outer };
  const places = { ...rename, revision, label };
  for (const [name, pointer] of Object.entries(places)) {
    // A pointer to the place where the field is anyway says nothing.
    if (pointer === toPointer(name)) continue;
    const value = readPointer(sent, pointer);
    if (value === undefined) delete moved[name];
    else moved[name] = value;
  }
  return moved;
}
