import type { Answer, Body, Connect } from './client.ts';
import {
  type AddKeywordsInput,
  Api,
  type ChangeChatInput,
  type ChatReadInput,
  type ErrorBody,
  type HttpResponse,
  type StudioReadInput,
} from './generated/swagger-typescript-api/api.ts';

async function answered<T extends object>(call: Promise<HttpResponse<T, ErrorBody>>): Promise<Answer> {
  try {
    return { ok: true, body: (await call).data as Body };
  } catch (thrown) {
    // It throws the response itself.
    if (!(thrown instanceof Response)) throw thrown;
    const { status, error } = thrown as HttpResponse<T, ErrorBody>;
    return { ok: false, status, body: { ...error } };
  }
}

export const connect: Connect = (baseUrl, key) => {
  const api = new Api<string>({
    baseUrl,
    securityWorker: (token) => ({ headers: { Authorization: `Bearer ${token}` } }),
  });
  api.setSecurityData(key);
  return {
    account: () => answered(api.me.getAccount()),
    addKeywords: (siteId, input) => answered(api.sites.addSeoKeywords(siteId, input as AddKeywordsInput)),
    readChat: (input) => answered(api.chat.readChat(input as ChatReadInput)),
    typedChange: (operationId) => {
      const input: ChangeChatInput = {
        operationId,
        change: { action: 'create-tags', data: { name: 'Typed', color: 'pink' } },
      };
      return answered(api.chat.changeChat(input));
    },
    changeChat: (input) => answered(api.chat.changeChat(input as ChangeChatInput)),
    readStudio: (input) => answered(api.studio.readStudio(input as StudioReadInput)),
  };
};
