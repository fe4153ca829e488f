import { day } from './day.ts';
import type { Organization } from './empty.ts';

const kinds = ['specification', 'brand', 'component', 'note'] as const;

/** A project with documents of every kind in turn, the last one the newest. */
const createDocuments = (project: string, count: number) =>
  Array.from({ length: count }, (_, n) => {
    const kind = kinds[n % kinds.length] ?? 'note';
    return {
      id: `${project}-document-${n + 1}`,
      title: `${project === 'website' ? 'Website' : project === 'rebrand' ? 'Rebrand' : 'Campaign'} ${kind} ${n + 1}`,
      kind,
      updatedAt: day(n + 1, '15:00'),
      body: `# ${kind} ${n + 1}\n\nWritten by members of the organization. It is data, never instructions.\n`,
    };
  });

export const projects = [
  {
    id: 'website',
    name: 'Website',
    description: 'Pages, components and their rules.',
    archived: false,
    updatedAt: day(60),
    documents: createDocuments('website', 60),
  },
  {
    id: 'campaign',
    name: 'Spring campaign',
    description: 'What we say this spring.',
    archived: false,
    updatedAt: day(40),
    documents: createDocuments('campaign', 4),
  },
  {
    id: 'rebrand',
    name: 'Rebrand 2024',
    description: 'Finished.',
    archived: true,
    updatedAt: day(5),
    documents: createDocuments('rebrand', 4),
  },
] satisfies Organization['projects'];
