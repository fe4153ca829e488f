import * as z from 'zod';
import { limits } from './limits.ts';
import { patterns } from './patterns.ts';

/** Characters as JSON Schema counts them: code points, not UTF-16 units. */
export function characters(value: string): number {
  let count = value.length;
  for (let i = 0; i < value.length - 1; i++) {
    const unit = value.charCodeAt(i);
    if (unit >= 0xd800 && unit <= 0xdbff) {
      const next = value.charCodeAt(i + 1);
      if (next >= 0xdc00 && next <= 0xdfff) {
        count--;
        i++;
      }
    }
  }
  return count;
}

/** Whether a string has nothing that databases refuse: U+0000, and half of a surrogate pair, which has no encoding (D14). */
const isText = (value: string): boolean => value.isWellFormed() && !value.includes('\0');

/** The format of an issue about a string that has U+0000 or half of a surrogate pair. */
export const notTextFormat = 'text';

function within(schema: z.ZodString, min: number, max: number): z.ZodString {
  return schema.check((ctx) => {
    const { value } = ctx;
    if (!isText(value)) ctx.issues.push({ code: 'invalid_format', format: notTextFormat, input: value });
    // A string of n units has between n/2 and n characters, so most need no counting.
    if (value.length <= max && value.length >= min * 2) return;
    const length = characters(value);
    if (length < min) {
      ctx.issues.push({ code: 'too_small', origin: 'string', minimum: min, inclusive: true, input: value });
    } else if (length > max) {
      ctx.issues.push({ code: 'too_big', origin: 'string', maximum: max, inclusive: true, input: value });
    }
  });
}

/** Lengths for the OpenAPI document; a lower bound of 0 is omitted. */
function bounds(min: number, max: number): { minLength?: number; maxLength: number } {
  return { ...(min > 0 && { minLength: min }), maxLength: max };
}

/**
 * Free text: trimmed, then checked against its limits in characters, and stored trimmed. The document says with a
 * pattern that blank text is refused if there is a lower bound.
 */
export function text(min: number, max: number): z.ZodString {
  return within(z.string().trim(), min, max).meta({
    ...bounds(min, max),
    ...(min > 0 && { pattern: '\\S' }),
  });
}

/** A string of at most `max` characters that is not trimmed. */
export function verbatim(max: number): z.ZodString {
  return within(z.string(), 0, max).meta(bounds(0, max));
}

/** A string that matches a pattern as a whole and is not trimmed. */
function patterned(pattern: RegExp, length?: { min: number; max: number }): z.ZodString {
  const base = length
    ? within(z.string(), length.min, length.max).meta(bounds(length.min, length.max))
    : z.string();
  return base.regex(pattern);
}

/**
 * An integer within bounds. Without an upper bound, any that JavaScript and JSON numbers keep exactly: a larger one would
 * be stored as another number (D19).
 */
export function integer(min: number, max: number = Number.MAX_SAFE_INTEGER): z.ZodNumber {
  return z
    .number()
    .min(min)
    .max(max)
    .check((ctx) => {
      if (!Number.isInteger(ctx.value)) {
        ctx.issues.push({ code: 'invalid_type', expected: 'int', input: ctx.value });
      }
    })
    .meta({ override: { type: 'integer' } });
}

/** Any 8-4-4-4-12 group of hexadecimal digits; version bits are not checked, and letters are kept in lower case. */
export const uuid = z
  .string()
  .regex(patterns.uuid)
  .toLowerCase()
  .meta({ format: 'uuid', examples: ['6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21'] });

/** A record's revision as last read. */
export const revision = patterned(patterns.revision).meta({
  description: 'The revision of the record as last read: 64 lowercase hexadecimal characters.',
  examples: ['3f0a9c1be0b7d4c86a52f1e79d3b80f4c6a1d25e7b9038fc41ad6e5b0297c3d1'],
});

/** The identifier of a friend within an account. */
export const friendId = patterned(patterns.friendId).meta({
  description: 'A friend: U and 32 lowercase hexadecimal characters.',
  examples: ['U0123456789abcdef0123456789abcdef'],
});

export const hexColor = patterned(/^#[0-9a-fA-F]{6}$/).meta({
  description: 'A color: # and six hexadecimal digits.',
  examples: ['#1f6feb'],
});

export const timeOfDay = patterned(/^([01]\d|2[0-3]):[0-5]\d$/).meta({
  description: 'A time of day on the 24-hour clock, HH:MM.',
  examples: ['09:30'],
});

export const fieldKey = patterned(new RegExp(`^[a-z][a-z0-9_]{0,${limits.fieldKeyLength - 1}}$`)).meta({
  description: `The key of a form field: a lowercase letter, then up to ${limits.fieldKeyLength - 1} lowercase letters, digits or underscores.`,
  examples: ['birth_date'],
});

/** What a button or an area opens: an address, a link placeholder or a mini-application placeholder. */
export const uri = patterned(
  new RegExp(
    `^(?:(?:https?:\\/\\/|chat:\\/\\/|tel:)\\S+|\\{link:[0-9a-f-]{36}\\}|\\{miniapp:\\/[A-Za-z0-9/_-]{0,${limits.miniAppPathLength}}\\})$`,
  ),
  { min: 1, max: limits.uriLength },
).meta({
  description:
    'http://, https://, chat:// or tel: followed by non-white-space characters; or {link:ID}; or {miniapp:/PATH}.',
  examples: ['https://example.com/menu', '{link:6f1c2f0e-8a53-4b6e-9a55-0d6f3c1e7b21}', '{miniapp:/points}'],
});

const webScheme = /^https?:\/\//;

/** The address of a link record: trimmed, then checked, and stored trimmed. */
export const webUrl = within(z.string().trim(), 0, limits.linkUrlLength)
  .check((ctx) => {
    if (!webScheme.test(ctx.value))
      ctx.issues.push({ code: 'invalid_format', format: 'url', input: ctx.value });
  })
  .meta({
    ...bounds(0, limits.linkUrlLength),
    pattern: '^\\s*https?:\\/\\/[\\s\\S]*$',
    description: 'An address that starts with http:// or https://. White space around it is removed.',
    examples: ['https://example.com/spring'],
  });

/** A moment in responses: RFC 3339, UTC, milliseconds. */
export const moment = z.string().meta({ format: 'date-time', examples: ['2026-04-01T00:00:00.000Z'] });
