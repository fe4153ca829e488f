import { isObject } from '@orgchat/spec/is-object';
import type { Context } from '../../context.ts';
import { Control, type ControlOptions, warnOfVisibleToken } from '../../mock/control-client.ts';
import type { Row } from '../../output/output.ts';

/** The control API of the mock that the options name. */
export function control(context: Context, options: ControlOptions): Control {
  warnOfVisibleToken(options, context.output);
  return new Control(options, context.env);
}

/** Reads a JSON or YAML file to send. */
export async function readDocument(name: string): Promise<unknown> {
  const { parseDocument, readText } = await import('../../input/read-input.ts');
  return parseDocument(await readText(name), name);
}

/** The list in a response: the response itself, or its field `name`. */
export function toRows(value: unknown, name: string): Row[] {
  const list = isObject(value) ? value[name] : value;
  return Array.isArray(list) ? list : [];
}
