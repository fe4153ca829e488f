import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/* What the command of the tests has for the module of the keychain: entries in the file that a variable names. */

function readEntries() {
  const file = process.env.TEST_KEYRING;
  if (!file) throw new Error('no storage');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

const writeEntries = (entries) => writeFileSync(process.env.TEST_KEYRING, JSON.stringify(entries));

export class AsyncEntry {
  constructor(service, account) {
    this.name = `${service}/${account}`;
  }

  async getPassword() {
    return readEntries()[this.name] ?? null;
  }

  async setPassword(key) {
    writeEntries({ ...readEntries(), [this.name]: key });
  }

  async deletePassword() {
    const { [this.name]: _, ...others } = readEntries();
    writeEntries(others);
    return true;
  }
}
