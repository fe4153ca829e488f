import type { Answer, Body, Connect } from './client.ts';
import {
  type AddKeywordsInput,
  addSeoKeywords,
  type ChangeChatInput,
  type ChatReadInput,
  changeChat,
  getAccount,
  readChat,
  readStudio,
  type StudioReadInput,
} from './generated/orval/api.ts';
import { use } from './orval-fetch.ts';

export const connect: Connect = (baseUrl, key) => {
  async function answered(call: () => Promise<{ status: number; data: object }>): Promise<Answer> {
    use({ baseUrl, key });
    const { status, data } = await call();
    const body = { ...data } as Body;
    return status < 400 ? { ok: true, body } : { ok: false, status, body };
  }
  return {
    account: () => answered(() => getAccount()),
    addKeywords: (siteId, input) => answered(() => addSeoKeywords(siteId, input as AddKeywordsInput)),
    readChat: (input) => answered(() => readChat(input as ChatReadInput)),
    typedChange: (operationId) => {
      const input: ChangeChatInput = {
        operationId,
        change: { action: 'create-tags', data: { name: 'Typed', color: 'pink' } },
      };
      return answered(() => changeChat(input));
    },
    changeChat: (input) => answered(() => changeChat(input as ChangeChatInput)),
    readStudio: (input) => answered(() => readStudio(input as StudioReadInput)),
  };
};
