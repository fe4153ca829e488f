import * as z from 'zod';

export const languages = ['en', 'ja'] as const;
export type Language = (typeof languages)[number];

interface ErrorEntry {
  /** The statuses of the code; the first is the usual one. */
  readonly statuses: readonly [number, ...number[]];
  readonly description: string;
  /** The message in each language; `{detail}` is replaced by the detail of the answer, or by nothing. */
  readonly message: Readonly<Record<Language, string>>;
}

/**
 * Every error the service answers with (SPECIFICATION.md, section 7). The contract names only FORBIDDEN; the
 * other codes, and which status each comes with, are decisions (DECISIONS.md, D76).
 */
export const errorCatalog = {
  UNAUTHORIZED: {
    statuses: [401],
    description: 'The key is missing, invalid or revoked, or its organization was deleted.',
    message: {
      en: 'The API key is missing, invalid or revoked.',
      ja: 'APIキーがないか、無効か、取り消されています。',
    },
  },
  FORBIDDEN: {
    statuses: [403],
    description: 'The key or its creator may not do this.',
    message: {
      en: 'This API key cannot do this.{detail}',
      ja: 'このAPIキーではこの操作はできません。{detail}',
    },
  },
  PLAN_REQUIRED: {
    statuses: [403],
    description: 'The plan of the organization has no API access.',
    message: {
      en: "The organization's plan has no API access.",
      ja: '組織のプランではAPIを利用できません。',
    },
  },
  SUSPENDED: {
    statuses: [403],
    description: 'The creator of the key is suspended or no longer a member.',
    message: {
      en: 'The creator of this API key is suspended or no longer a member.',
      ja: 'このAPIキーの作成者は停止中か、メンバーではなくなりました。',
    },
  },
  INVALID_INPUT: {
    statuses: [400],
    description: 'The request does not match the contract.',
    message: { en: 'Invalid input.{detail}', ja: '入力が正しくありません。{detail}' },
  },
  KEYWORD_LIMIT_EXCEEDED: {
    statuses: [400],
    description: 'The keyword limit of the site or the plan would be exceeded; nothing was added.',
    message: {
      en: 'The keyword limit is exceeded; nothing was added.{detail}',
      ja: 'キーワードの上限を超えるため、何も追加されませんでした。{detail}',
    },
  },
  NOT_FOUND: {
    statuses: [404],
    description: 'The path or record does not exist, or is not visible to this key.',
    message: { en: 'Not found.{detail}', ja: '見つかりません。{detail}' },
  },
  METHOD_NOT_ALLOWED: {
    statuses: [405],
    description: 'The path exists, but not with this method.',
    message: {
      en: 'This method is not allowed here.{detail}',
      ja: 'このメソッドは利用できません。{detail}',
    },
  },
  STALE_REVISION: {
    statuses: [409],
    description: 'The record has changed since it was last read. Read it again.',
    message: {
      en: 'The record has changed since it was read. Read it again.',
      ja: 'レコードは読み取り後に変更されています。もう一度読み取ってください。',
    },
  },
  INPUT_CONFLICT: {
    statuses: [409],
    description: 'The operationId was already used with a different input.',
    message: {
      en: 'This operationId was already used with a different input.',
      ja: 'このoperationIdは別の入力ですでに使用されています。',
    },
  },
  OPERATION_UNCERTAIN: {
    statuses: [409],
    description:
      'The outcome of an earlier attempt with this operationId is unknown. The change was not repeated.',
    message: {
      en: 'The outcome of an earlier attempt at this operation is unknown. It was not repeated.',
      ja: 'この操作の以前の結果が確認できないため、再実行されませんでした。',
    },
  },
  RATE_LIMITED: {
    statuses: [429],
    description: 'The key exceeded its per-minute limit.',
    message: {
      en: 'Too many requests in a minute with this API key.',
      ja: 'このAPIキーの1分あたりのリクエスト数が上限に達しました。',
    },
  },
  QUOTA_EXCEEDED: {
    statuses: [429],
    description: 'The organization exceeded its monthly quota.',
    message: {
      en: 'The monthly request quota of the organization is used up.',
      ja: '組織の今月のリクエスト数が上限に達しました。',
    },
  },
  INTERNAL_ERROR: {
    statuses: [500],
    description: 'An error in the service. X-Request-Id identifies the request for support.',
    message: {
      en: 'An unexpected error occurred.',
      ja: '予期しないエラーが発生しました。',
    },
  },
  RUNTIME_UNAVAILABLE: {
    statuses: [502, 404],
    description: "The organization's runtime is unavailable (404 on chat reads).",
    message: {
      en: "The organization's runtime is unavailable.",
      ja: '組織のランタイムを利用できません。',
    },
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errorCatalog;
export const errorCodes = Object.keys(errorCatalog) as [ErrorCode, ...ErrorCode[]];

/** The message of a code in a language, with the detail of the answer. */
export function errorMessage(code: ErrorCode, language: Language, detail = ''): string {
  const gap = detail !== '' && language === 'en' ? ' ' : '';
  return errorCatalog[code].message[language].replace('{detail}', () => gap + detail);
}

/** SPECIFICATION.md, section 7: the body of every error. */
export const errorBody = z
  .object({
    error: z.string().meta({
      description: `A code that does not change with the language. Known here: ${errorCodes.join(', ')}.`,
      examples: ['FORBIDDEN'],
    }),
    message: z.string().meta({ description: 'What is wrong, in the requested language.' }),
  })
  .meta({
    id: 'ErrorBody',
    description: 'The body of every error.',
    examples: [{ error: 'FORBIDDEN', message: 'This API key cannot do this.' }],
  });
