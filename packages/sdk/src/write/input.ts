import { createInvalidInputError } from '../errors/refused.ts';
import type { ChangeOptions } from '../options/options.ts';
import { deriveOperationId } from './operation-id.ts';

/** Converts an input to the JSON text that is sent. What the caller does to the object afterwards has no effect. */
export function serializeInput(input: object | undefined): string {
  try {
    // An input that was left out is sent as an empty one: the server says what is missing.
    return JSON.stringify({ ...input });
  } catch (cause) {
    throw createInvalidInputError(
      'The input cannot be converted to JSON. Remove circular references and BigInt values. See its cause.',
      cause,
    );
  }
}

/**
 * Copies what is sent, or compared, later than it was given: what the caller does to it afterwards has no effect. It is
 * copied as it is sent.
 */
export const copyInput = <T>(input: T): T =>
  (JSON.parse(serializeInput({ input })) as { readonly input: T }).input;

/** Copies an intent. Throws if an operation id cannot be derived from it. */
export function copyIntent<T extends ChangeOptions['intent']>(intent: T): T {
  if (intent !== undefined) deriveOperationId(intent);
  return copyInput(intent);
}
