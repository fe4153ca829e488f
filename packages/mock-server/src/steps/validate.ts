import {
  addKeywordsInput,
  type ChangeChatInput,
  type ChatReadInput,
  changeChatInput,
  chatReadInput,
  describeProblem,
  type StudioReadInput,
  studioReadInput,
} from '@orgchat/spec';
import type * as z from 'zod';
import { Refusal } from '../refusal.ts';
import type { Body } from './body.ts';
import type { Route } from './match.ts';

/** What a request asks for, understood. */
export type Command =
  | { readonly operation: 'getAccount' }
  | {
      readonly operation: 'addSeoKeywords';
      readonly siteId: string;
      readonly input: z.output<typeof addKeywordsInput>;
    }
  | { readonly operation: 'readChat'; readonly input: ChatReadInput }
  | { readonly operation: 'changeChat'; readonly input: ChangeChatInput }
  | { readonly operation: 'readStudio'; readonly input: StudioReadInput };

function parse<S extends z.ZodType>(schema: S, body: object): z.output<S> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new Refusal('INVALID_INPUT', (language) => describeProblem(parsed.error, body, language));
}

/** Holds the body to the schema of the operation: 400 where it does not fit. */
export function validate({ operation, siteId = '' }: Route, body: Body): Command {
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
