/* What a method returns, in words. */

const toText = ({ summary = [] } = {}) =>
  summary
    .map(({ text }) => text)
    .join('')
    .replaceAll(/\s+/g, ' ');

/** What the docstring of a type says first, as a part of a sentence. */
function describeType(type) {
  const text = toText(type?.reflection?.comment);
  const [first = ''] = /^.*?(?=\.(?: |$))/.exec(text) ?? [];
  return /^[A-Z][a-z]* /.test(first) ? `${first.charAt(0).toLowerCase()}${first.slice(1)}` : first;
}

/** What a record is called. */
function nameRecord(type) {
  const names = {
    Friend: 'the friend',
    FriendAutomation: 'the enrollment',
    DeletionResult: '`{ id, deleted: true }`',
  };
  return names[type?.name] ?? 'the record';
}

const page = 'a page: its `records`, and `limited` if the server says whether more exist';

const isUndefined = (type) => type.type === 'intrinsic' && type.name === 'undefined';

/** What a promise resolves to. */
function describeResult(type) {
  if (type?.type === 'union' && type.types.some(isUndefined)) {
    const others = type.types.filter((part) => !isUndefined(part));
    const described = others.length === 1 ? describeResult(others[0]) : '';
    return described === '' ? '' : `${described}; or \`undefined\``;
  }
  if (type?.name === 'Guarded')
    return `${nameRecord(type.typeArguments?.[0])} with its \`revision\` and \`label\`, which an update sends back`;
  if (type?.name === 'RecordPage') return page;
  if (type?.name === 'void') return '';
  return describeType(type);
}

const describers = {
  Call: ([result]) => {
    const described = describeResult(result);
    return described === '' ? '' : `A call. \`await\` it for ${described}.`;
  },
  ChangeCall: ([result]) =>
    `A call. \`await\` it for the outcome, whose \`result\` is ${nameRecord(result)}; or await its \`requireResult()\` for that alone.`,
  ListPromise: () =>
    'A list. `await` it for one page, or use `for await` for all records. `toArray()` reads all into an array, `first()` reads one.',
  Promise: ([result]) => {
    const described = describeResult(result);
    return described === '' ? '' : `A promise of ${described}.`;
  },
  AsyncGenerator: () => 'An iterator: use `for await`.',
  boolean: () => '',
};
describers.RecordList = describers.ListPromise;

/** A sentence about a type that is returned; nothing if its name says all. */
export const describeReturns = (type) =>
  describers[type?.name]?.(type.typeArguments ?? []) ??
  /^.*?\.(?= |$)/.exec(toText(type?.reflection?.comment))?.[0] ??
  '';
