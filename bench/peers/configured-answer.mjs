import { answerParent } from '../support/child-process.ts';

/** What a peer answers: told by the bench, so that it has the bytes of the mock's answer to the same request. */
export const given = { text: '{}', value: {} };

/** The contract's header of every answer, in the mock's length. */
export const headers = { 'X-Request-Id': 'req-00000001' };

answerParent({
  answer: (text) => {
    given.text = text;
    given.value = JSON.parse(text);
  },
});
