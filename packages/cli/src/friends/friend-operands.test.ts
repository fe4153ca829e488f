import { expect, test } from 'vitest';
import { parseFriendOperands } from './friend-operands.ts';

const user = `U${'0'.repeat(32)}`;

test.each([
  [[user], {}, { account: undefined, user, further: undefined }],
  [['Shop', user], {}, { account: 'Shop', user, further: undefined }],
  [[`Shop/${user}`, 'Series'], {}, { account: 'Shop', user, further: 'Series' }],
  [[user, 'Series'], {}, { account: undefined, user, further: 'Series' }],
  [[], { accountId: 'Shop', userId: user }, { account: 'Shop', user, further: undefined }],
  [['Shop'], { userId: user }, { account: 'Shop', user, further: undefined }],
])('%j with %j', (operands, options, named) => {
  expect(parseFriendOperands(operands, options)).toEqual(named);
});

test.each([[[]], [['nobody']], [['a', 'b', user]]])('refuses %j', (operands) => {
  expect(() => parseFriendOperands(operands, {})).toThrow();
});
