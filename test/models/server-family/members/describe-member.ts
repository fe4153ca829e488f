import type { Choices } from './axes.ts';
import { otherCodes } from './present-errors.ts';
import { smallPage } from './present-pages.ts';

type Document = Readonly<Record<string, unknown>>;

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;
/** Without what is undefined or empty. */
const compact = (values: Document): Document =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([, value]) => value !== undefined && !(typeof value === 'object' && value !== null && isEmpty(value)),
    ),
  );

/** Signals of a list that say something else than their name. */
const isWrongTotal = ({ total }: Choices): boolean => total !== 'exact';
const isWrongLimited = ({ limited, pages, total }: Choices): boolean =>
  limited === 'absent' || (limited === 'always true' && (pages !== 'gaps' || total === 'exact'));

function describeList(choices: Choices): Document {
  const frames = {
    records: { records: '/records', meta: '' },
    items: { records: '/items', meta: '' },
    'data.rows': { records: '/data/rows', meta: '/meta' },
  };
  const { records, meta } = frames[choices.list];
  const isOther = choices.list !== 'records';
  return compact({
    records: isOther ? records : undefined,
    total: isWrongTotal(choices) ? null : meta === '' ? undefined : `${meta}/total`,
    limited: isWrongLimited(choices) ? null : meta === '' ? undefined : `${meta}/limited`,
    order: choices.order === 'none' ? 'unknown' : choices.order === 'newest' ? undefined : choices.order,
  });
}

function describeRecord({ nesting, guards, times }: Choices): Document {
  const base = nesting === 'attributes' ? '/attributes' : '';
  const [revision, label] = {
    revision: ['/revision', '/label'],
    version: ['/version', '/caption'],
    'meta.version': ['/meta/version', '/meta/title'],
  }[guards] as [string, string];
  const [created, updated] =
    times === 'created_at' ? ['created_at', 'updated_at'] : ['createdAt', 'updatedAt'];
  const isRenamed = times !== 'absent' && (base !== '' || times === 'created_at');
  const hasPointers = guards !== 'revision' || base !== '';
  return compact({
    revision: hasPointers ? `${base}${revision}` : undefined,
    label: hasPointers ? `${base}${label}` : undefined,
    data: nesting === 'top' ? undefined : `/${nesting}`,
    rename: isRenamed ? { createdAt: `${base}/${created}`, updatedAt: `${base}/${updated}` } : undefined,
  });
}

/** The fields of each kind of result that is not a record. */
function describeResult({ result }: Choices): Document {
  if (result === 'record') return {};
  if (result === 'null' || result === 'absent')
    return { create: null, update: null, delete: null, friend: null, enroll: null };
  const revision = result === 'id' ? [] : ['revision'];
  const record = ['id', ...revision];
  const friend = ['accountId', 'userId', ...revision];
  return { create: record, update: record, delete: ['id'], friend, enroll: ['id'] };
}

/** The description of a member, in the format of the option `server`. */
export function describeMember(choices: Choices): Document {
  const frames = { record: undefined, records: '/records/0', root: '', item: '/item' };
  return compact({
    server: 1,
    codes: choices.codes === 'other' ? otherCodes() : undefined,
    shapes: compact({
      list: describeList(choices),
      one: frames[choices.one],
      record: describeRecord(choices),
      row: compact({
        guards: choices.rowGuards === 'absent' ? false : undefined,
        data: choices.rows === 'summary' ? false : undefined,
      }),
      result: describeResult(choices),
    }),
    limits: compact({
      pageSize: choices.pages === '50' ? undefined : smallPage,
      retryAfter: choices.retryAfter === 'absent' ? 'none' : choices.retryAfter,
    }),
  });
}
