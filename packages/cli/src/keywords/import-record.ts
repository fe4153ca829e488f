import type { KeywordRequest } from '@orgchat/sdk';
import * as z from 'zod';

const request = z.object({
  operationId: z.string(),
  keywords: z.array(z.string()),
  /** `sending` is what a process that died leaves behind. */
  state: z.enum(['sending', 'added', 'refused', 'unknown']),
  added: z.array(z.string()).default([]),
  skipped: z.array(z.string()).default([]),
  error: z.object({ code: z.string(), message: z.string(), reason: z.string().optional() }).optional(),
});

const record = z.object({
  format: z.literal(2),
  baseUrl: z.string(),
  site: z.string(),
  group: z.string().optional(),
  startedAt: z.string(),
  /** Whether every keyword of the last list has a result. */
  finished: z.boolean(),
  requests: z.array(request),
});
/** What was sent to a site and group, from any list. */
export interface ImportRecord extends Omit<z.output<typeof record>, 'requests'> {
  readonly requests: readonly KeywordRequest[];
}

export type Destination = Pick<ImportRecord, 'baseUrl' | 'site' | 'group'>;

export function createRecord({ baseUrl, site, group }: Destination): ImportRecord {
  return {
    format: 2,
    baseUrl,
    site,
    ...(group !== undefined && { group }),
    startedAt: new Date().toISOString(),
    finished: false,
    requests: [],
  };
}

export function parseImportRecord(document: unknown): ImportRecord | undefined {
  const { data } = record.safeParse(document);
  if (data === undefined) return undefined;
  // As the SDK sends it.
  const group = data.group?.trim() || undefined;
  return { ...data, requests: data.requests.map((one) => ({ ...one, siteId: data.site, group })) };
}
