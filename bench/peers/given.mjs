import { answerParent } from '../support/channel.ts';

/** What a peer answers: told by the bench, so that it has the bytes of the mock's answer to the same request. */
export const given = { text: '{}', value: {} };

answerParent({
  answer: (text) => {
    given.text = text;
    given.value = JSON.parse(text);
  },
});
