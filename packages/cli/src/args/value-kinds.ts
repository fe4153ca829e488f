import { Argument, InvalidArgumentError, type Option } from 'commander';
import { repeatable } from './value-parsers.ts';

/**
 * What a flag or an argument takes:
 *
 * - `flag`: nothing
 * - `name`: a name or id of anything: a record, group, intent, profile, key, host; also a line for the shell
 * - `names`: names or ids, with commas between them or as repeated flags. They are kept as they were given, because a name
 *   may contain commas
 * - `words`: words of a fixed set, with commas between them
 * - `file`, `url`, `json`, `setting` (`NAME=VALUE`)
 * - `choice`, `number`, `time`: their parsers refuse what they are not
 * - `text`: free text, which may be empty
 * - `command`: another command and its arguments; only these may be empty
 */
export type ValueKind =
  | 'flag'
  | 'name'
  | 'names'
  | 'words'
  | 'file'
  | 'url'
  | 'json'
  | 'setting'
  | 'choice'
  | 'number'
  | 'time'
  | 'text'
  | 'command';

/** The kind of each placeholder, such as `<account>`. This is how the definition of a flag or argument declares its kind. */
const kinds: Readonly<Record<string, ValueKind>> = {
  ...toKind(
    'name',
    'name|n label account user tag scenario menu project document site keyword id group name',
  ),
  ...toKind(
    'name',
    'uuid revision request-id token key host cursor action resource resource/name,… what topic path profile line',
  ),
  ...toKind('names', 'account,… tag,…'),
  ...toKind('words', 'a,b'),
  ...toKind('file', 'file file|- plan plan|file|-'),
  ...toKind('url', 'url'),
  ...toKind('json', 'json'),
  ...toKind('setting', 'spec field'),
  ...toKind('number', 'n n|off n|off|plan n|all port status'),
  ...toKind('time', 'time seconds'),
  ...toKind('text', 'text typed'),
  ...toKind('command', 'command words'),
};

function toKind(kind: ValueKind, placeholders: string): Record<string, ValueKind> {
  return Object.fromEntries(placeholders.split(' ').map((placeholder) => [placeholder, kind]));
}

/** The placeholder of a flag or argument, without brackets, dots and the word that clears; undefined if it takes nothing. */
export function getPlaceholder(target: Argument | Option): string | undefined {
  const text = target instanceof Argument ? target.name() : /[<[](.+)[>\]]$/.exec(target.flags)?.[1];
  return text?.replace(/\.\.\.$/, '').replace(/\|none$/, '');
}

/** The kind of a flag or argument. Throws if its placeholder has none. */
export function getValueKind(target: Argument | Option): ValueKind {
  const placeholder = getPlaceholder(target);
  if (placeholder === undefined) return 'flag';
  if (target.argChoices !== undefined) return 'choice';
  const kind = Object.hasOwn(kinds, placeholder) ? kinds[placeholder] : undefined;
  if (kind === undefined) throw new Error(`The placeholder <${placeholder}> has no kind in value-kinds.ts.`);
  return kind;
}

/**
 * Makes a flag or argument check its value by its kind. An empty value is refused unless it is free text: it mostly comes
 * from a variable that is not set, and must not clear anything.
 */
export function checkValues(target: Argument | Option): void {
  const kind = getValueKind(target);
  switch (kind) {
    case 'flag':
    case 'text':
    // These have a parser of their own, which knows what is expected.
    case 'choice':
    case 'number':
    case 'time':
    case 'words':
      return;
    case 'command':
      target.argParser((value: string, before: readonly string[] = []) => {
        if (before.length === 0) requireValue(target, value);
        return [...before, value];
      });
      return;
    case 'names':
      if (target instanceof Argument) throw new Error('An argument has one name.');
      repeatable(target, (value) => {
        requireValue(target, value);
        requireItems(value);
        return value;
      });
      return;
    default: {
      const { parseArg } = target;
      target.argParser((value: string, before: unknown) => {
        requireValue(target, value);
        return parseArg === undefined ? value : parseArg.call(target, value, before);
      });
    }
  }
}

function requireValue(target: Argument | Option, value: string): void {
  if (value.trim() !== '') return;
  const canClear = !(target instanceof Argument) && target.flags.includes('|none');
  throw new InvalidArgumentError(`It must not be empty.${canClear ? ' Pass none to clear it.' : ''}`);
}

function requireItems(list: string): void {
  if (list.split(',').some((item) => item.trim() === ''))
    throw new InvalidArgumentError(
      'A name in it is empty. If a name begins or ends with a comma, use its id.',
    );
}
