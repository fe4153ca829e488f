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

test.each([
  [[], {}, 'No friend specified.', 'Pass the account and the friend id. List both: orgchat friends list'],
  [
    ['Emi Sato'],
    {},
    '"Emi Sato" is not a friend id (U followed by 32 hex digits).',
    "Changes require the id. Find it: orgchat friends get 'Emi Sato'",
  ],
  [
    [],
    { userId: 'Emi' },
    '"Emi" is not a friend id (U followed by 32 hex digits).',
    'Changes require the id. Find it: orgchat friends get Emi',
  ],
  [
    ['Shop', 'Emi'],
    {},
    'No argument is a friend id (U followed by 32 hex digits): "Shop", "Emi".',
    'Changes require the id. Find it: orgchat friends get NAME',
  ],
])('%j with %j is rejected: %s', (operands, options, message, hint) => {
  expect(() => parseFriendOperands(operands, options)).toThrow(
    expect.objectContaining({ message, hint, code: 'USAGE' }),
  );
});
