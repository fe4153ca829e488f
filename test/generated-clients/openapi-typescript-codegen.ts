import type { Answer, Body, Connect } from './client.ts';
import {
  AccountService,
  type AddKeywordsInput,
  ApiError,
  type ChangeChatInput,
  type ChatReadInput,
  ChatService,
  KeywordsService,
  OpenAPI,
  type StudioReadInput,
  StudioService,
  TagData,
} from './generated/openapi-typescript-codegen/index.ts';

export const connect: Connect = (baseUrl, key) => {
  async function answered(call: () => Promise<object>): Promise<Answer> {
    // It has one configuration for all its calls.
    OpenAPI.BASE = baseUrl;
    OpenAPI.TOKEN = key;
    try {
      return { ok: true, body: (await call()) as Body };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { ok: false, status: error.status, body: error.body as Body };
    }
  }
  return {
    account: () => answered(() => AccountService.getAccount()),
    addKeywords: (siteId, input) =>
      answered(() => KeywordsService.addSeoKeywords(siteId, input as AddKeywordsInput)),
    readChat: (input) => answered(() => ChatService.readChat(input as ChatReadInput)),
    typedChange: (operationId) => {
      const data: TagData = { name: 'Typed', color: TagData.color.PINK };
      return answered(() => ChatService.changeChat({ operationId, change: { action: 'create-tags', data } }));
    },
    changeChat: (input) => answered(() => ChatService.changeChat(input as ChangeChatInput)),
    readStudio: (input) => answered(() => StudioService.readStudio(input as StudioReadInput)),
  };
};
