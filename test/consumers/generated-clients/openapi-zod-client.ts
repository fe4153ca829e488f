import { isAxiosError } from 'axios';
import type { Answer, Body, Connect } from './client.ts';
import * as generated from './generated/openapi-zod-client/api.ts';
import * as generatedFrom30 from './generated/openapi-zod-client/api-3.0.ts';

type Api = ReturnType<typeof generated.createApiClient>;

/** A client that checks each request and each answer with the schemas that the generator made. */
const connectTo =
  (create: (baseUrl: string, options: { validate: boolean | 'response' }) => Api): Connect =>
  (baseUrl, key) => {
    const checked = create(baseUrl, { validate: true });
    const unchecked = create(baseUrl, { validate: 'response' });
    const headers = { Authorization: `Bearer ${key}` };
    async function answered(call: (api: Api) => Promise<object>): Promise<Answer> {
      const wrong = await findProblem(() => call(checked));
      if (!(wrong instanceof Error)) return wrong;
      // What the schemas refuse, the service must refuse too.
      const answer = await findProblem(() => call(unchecked));
      if (answer instanceof Error) throw answer;
      if (answer.ok) throw new Error(`The schemas refuse what the service accepts: ${wrong.message}`);
      return answer;
    }
    return {
      account: () => answered((api) => api.getAccount({ headers })),
      addKeywords: (siteId, input) =>
        answered((api) => api.addSeoKeywords(input as never, { headers, params: { siteId } })),
      readChat: (input) => answered((api) => api.readChat(input as never, { headers })),
      typedChange: (operationId) =>
        answered((api) =>
          api.changeChat(
            { operationId, change: { action: 'create-tags', data: { name: 'Typed', color: 'pink' } } },
            { headers },
          ),
        ),
      changeChat: (input) => answered((api) => api.changeChat(input as never, { headers })),
      readStudio: (input) => answered((api) => api.readStudio(input as never, { headers })),
    };
  };

/** The answer of a call, or what the generated schemas refused before or after it. */
async function findProblem(call: () => Promise<object>): Promise<Answer | Error> {
  try {
    return { ok: true, body: (await call()) as Body };
  } catch (error) {
    if (isAxiosError(error) && error.response !== undefined)
      return { ok: false, status: error.response.status, body: error.response.data as Body };
    return error as Error;
  }
}

export const connect = connectTo((baseUrl, options) => generated.createApiClient(baseUrl, options));
export const connectFrom30 = connectTo(
  (baseUrl, options) => generatedFrom30.createApiClient(baseUrl, options) as unknown as Api,
);
