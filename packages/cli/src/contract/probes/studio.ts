import { isObject, studioDocuments, studioProjects, studioSingleDocument } from '@orgchat/spec';
import type * as z from 'zod';
import { isOutage, outage, readRefusal } from '../answers.ts';
import type { ContractAnswer, ContractRequest } from '../exchange.ts';
import type { Probe } from '../probe.ts';
import type { ProbeResult } from '../probe-result.ts';
import { readDates } from '../read-dates.ts';

const read = (body: Readonly<Record<string, unknown>>): ContractRequest => ({
  method: 'POST',
  path: '/studio/read',
  body,
});

/** Judges an answer by the shape that a clause demands. */
function readAnswer(answer: ContractAnswer, place: string, schema: z.ZodType, clause: string): ProbeResult {
  if (isOutage(answer)) return outage('studio.answers', place, answer);
  const { status, json, request } = answer;
  if (status === 403 || status === 404)
    return { topic: 'studio.answers', place, unknown: `Studio is not available to this key (${status})` };
  const parsed = schema.safeParse(json);
  if (status === 200 && parsed.success) return { topic: 'studio.answers', place, fact: 'as described' };
  const path = parsed.error?.issues[0]?.path.join('.') || 'the body';
  const what = status === 200 ? `${place}: ${path} is not as described` : `${place}: answered ${status}`;
  return { topic: 'studio.answers', clause, what, requests: [request] };
}

const firstId = (list: unknown): string | undefined => {
  const first: unknown = Array.isArray(list) ? list[0] : undefined;
  return isObject(first) && typeof first.id === 'string' ? first.id : undefined;
};

/** Projects, the documents of the first one, and the first document. Nothing of them is kept. */
const answers: Probe = {
  name: 'studio/reads',
  group: 'studio',
  topics: ['studio.answers', 'behavior.dates'],
  clauses: ['4.5.13', '4.5.14', '4.5.15'],
  async ask({ send }) {
    const projects = await send(read({ resource: 'projects' }));
    const results = [readAnswer(projects, 'projects', studioProjects, '4.5.13')];
    const list = isObject(projects.json) ? projects.json.projects : undefined;
    const projectId = firstId(list);
    if (projectId === undefined) return results;
    results.push(...readDates((list as readonly unknown[])[0], 'projects'));
    const documents = await send(read({ resource: 'documents', projectId }));
    results.push(readAnswer(documents, 'documents', studioDocuments, '4.5.14'));
    const documentId = firstId(isObject(documents.json) ? documents.json.documents : undefined);
    if (documentId === undefined) return results;
    const document = await send(read({ resource: 'document', projectId, documentId }));
    results.push(readAnswer(document, 'document', studioSingleDocument, '4.5.15'));
    return results;
  },
};

const cursor: Probe = {
  name: 'studio/cursor',
  group: 'studio',
  topics: ['studio.cursor', 'codes.invalidInput'],
  clauses: ['4.5.9', '7.1.1'],
  async ask({ send }) {
    const answer = await send(read({ resource: 'projects', cursor: 'never-issued' }));
    if (isOutage(answer)) return [outage('studio.cursor', 'projects', answer)];
    if (answer.status === 403 || answer.status === 404)
      return [{ topic: 'studio.cursor', place: 'projects', unknown: 'Studio is not available to this key' }];
    if (answer.status !== 400)
      return [{ topic: 'studio.cursor', place: 'projects', fact: `answered ${answer.status}` }];
    return readRefusal(answer, 'a cursor of Studio', 'invalidInput', {
      topic: 'studio.cursor',
      clause: '4.5.9',
    });
  },
};

export const studioProbes: readonly Probe[] = [answers, cursor];
