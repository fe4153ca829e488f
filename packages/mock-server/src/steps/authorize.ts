import { operations } from '@orgchat/spec';
import { Refusal } from '../refusal.ts';
import type { Caller } from './authenticate.ts';
import type { Route } from './match.ts';

/** A write needs a write key and a creator who can edit now: otherwise 403 (clause 3.8, 3.9, D28). */
export function authorize({ key }: Caller, { operation }: Route): void {
  if (operations[operation].scope === 'read') return;
  if (key.scope !== 'write') {
    throw new Refusal('FORBIDDEN', { en: 'It is a read key.', ja: '読み取り専用のキーです。' });
  }
  if (!key.editor) {
    throw new Refusal('FORBIDDEN', {
      en: 'Its creator cannot edit the organization.',
      ja: '作成者に組織の編集権限がありません。',
    });
  }
}
