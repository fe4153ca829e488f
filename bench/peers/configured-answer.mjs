import { answerParent } from '../support/child-process.ts';

/** The answer of a peer. The bench sets it to the bytes of the mock's answer to the same request. */
export const given = { text: '{}', value: {} };

/** The header that every answer of the contract has, with the length that the mock sends. */
export const headers = { 'X-Request-Id': 'req-00000001' };

answerParent({
  answer: (text) => {
    given.text = text;
    given.value = JSON.parse(text);
  },
});
