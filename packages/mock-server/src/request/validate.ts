import {
  addKeywordsInput,
  changeChatInput,
  chatReadInput,
  describeProblem,
  getChangedResource,
  studioReadInput,
} from '@orgchat/spec';
import type * as z from 'zod';
import type { Body } from '../http/body.ts';
import type { Trace } from '../request-log/request-log.ts';
import { ApiError } from './api-error.ts';
import type { Command, RequestContext, Route } from './context.ts';

function parse<S extends z.ZodType>(schema: S, body: object): z.output<S> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new ApiError('INVALID_INPUT', (language) => describeProblem(parsed.error, body, language));
}

/** Parses the body by the schema of the operation: 400 if it does not match. */
export function validate(context: RequestContext): void {
  const command = parseCommand(context.route, context.body);
  context.command = command;
  note(context.trace, command);
}

/** Notes in the request log what a valid request asks for. */
function note(trace: Trace, command: Command): void {
  if (command.operation === 'changeChat') {
    const { operationId, change } = command.input;
    trace.operationId = operationId;
    trace.action = change.action;
    trace.resource = getChangedResource(change.action, 'resource' in change ? change.resource : undefined);
  } else if (command.operation === 'readChat' || command.operation === 'readStudio') {
    trace.resource = command.input.resource;
  }
}

function parseCommand({ operation, siteId = '' }: Route, body: Body): Command {
  switch (operation) {
    case 'getAccount':
      return { operation };
    case 'addSeoKeywords':
      return { operation, siteId, input: parse(addKeywordsInput, body.read()) };
    case 'readChat':
      return { operation, input: parse(chatReadInput, body.read()) };
    case 'changeChat':
      return { operation, input: parse(changeChatInput, body.read()) };
    case 'readStudio':
      return { operation, input: parse(studioReadInput, body.read()) };
  }
}
