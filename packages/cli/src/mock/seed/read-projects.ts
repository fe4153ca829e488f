import type { Context } from '../../context.ts';
import { showProgress } from '../../output/progress.ts';
import type { SeedOrganization } from './seed-organization.ts';

type Projects = NonNullable<SeedOrganization['projects']>;

/** Reads the projects of Studio with all documents, oldest first. Takes one request per document. */
export async function readProjects(context: Context): Promise<Projects> {
  const { studio } = await context.client();
  const call = context.bulkCall;
  const projects = await studio.projects(call).toArray();
  const summaries = [];
  for (const { id } of projects) summaries.push(await studio.documents(id, call).toArray());
  const progress = await showProgress(context.output, 'Documents', summaries.flat().length);
  const found: Projects[number][] = [];
  let done = 0;
  try {
    for (const [index, project] of projects.entries()) {
      const documents = [];
      for (const summary of summaries[index] ?? []) {
        progress.update(done++);
        const { document } = await studio.document(project.id, summary.id, call);
        documents.push(document);
      }
      const { id, name, description, archived, updatedAt } = project;
      found.push({
        id,
        name,
        description,
        archived,
        updatedAt,
        documents: documents
          .map(({ id, title, kind, updatedAt, body }) => ({ id, title, kind, updatedAt, body }))
          .toReversed(),
      });
    }
    progress.update(done);
  } finally {
    progress.stop();
  }
  return found.reverse();
}
