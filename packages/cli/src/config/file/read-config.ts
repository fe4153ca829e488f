import { getDataLabel, toComparableLabel } from '@orgchat/sdk/internal';
import type { ConfigurationResource } from '@orgchat/spec';
import { isObject } from '@orgchat/spec/is-object';
import { singularNames } from '@orgchat/spec/resources/names';
import { toShellWord } from '../../args/shell-word.ts';
import { isUuid } from '../../args/value-parsers.ts';
import { invalidInputError } from '../../errors/cli-error.ts';
import { isJson } from '../../input/json.ts';
import { readText } from '../../input/read-input.ts';
import type { Data } from '../../resources/fields.ts';
import { type Document, findYamlProblems, isMap, LineCounter, parseDocument, visit } from '../../yaml.ts';
import { planFormat } from '../plan/plan-schema.ts';
import { parseData } from './parse-data.ts';
import { invalidFileError, type Problem } from './problems.ts';
import { creationOrder } from './references.ts';

/** A record in the file. Its references are names or ids. */
export interface FileRecord {
  readonly resource: ConfigurationResource;
  readonly id: string | undefined;
  readonly label: string;
  readonly data: Data;
  /** The record with its id, before its values are parsed and trimmed. */
  readonly source: Data;
  /** Line in the file. */
  readonly line: number;
}

export interface ConfigFile {
  readonly name: string;
  readonly text: string;
  /** The resources that the file contains; others are ignored. */
  readonly resources: readonly ConfigurationResource[];
  /** Resources whose key has no value, as if the file did not have them: only an empty list says that there are none. */
  readonly withoutValue: readonly ConfigurationResource[];
  readonly records: readonly FileRecord[];
}

export const configVersion = 1;

/** High enough for an alias in every record, and low enough to stop aliases that multiply each other. */
export const maxAliasCount = 100_000;

class ConfigReader {
  readonly problems: Problem[] = [];
  readonly records: FileRecord[] = [];
  readonly resources: ConfigurationResource[] = [];
  readonly withoutValue: ConfigurationResource[] = [];
  /** Whether the file is a saved plan. */
  isPlan = false;

  constructor(
    private readonly document: Document,
    private readonly lines: LineCounter,
  ) {}

  read(): void {
    const content = this.content();
    if (this.problems.length > 0) return;
    if (!isMap(this.document.contents)) {
      this.problem([], 'It must contain resources: tags, templates and so on');
      return;
    }
    if ((content as Data).format === planFormat) {
      this.isPlan = true;
      return;
    }
    for (const [key, value] of Object.entries(content as Data)) {
      const resource = creationOrder.find((known) => known === key);
      // Keys of the author, such as for the anchors of what is written once, and the schema for editors.
      if (key.startsWith('x-') || key === '$schema') continue;
      if (resource !== undefined) this.list(resource, value);
      else if (key !== 'version')
        this.problem([key], `Unknown resource "${key}". Expected one of: ${creationOrder.join(', ')}`);
      else if (value !== configVersion)
        this.problem([key], `Unknown version ${JSON.stringify(value)}; expected the number ${configVersion}`);
    }
  }

  /** The document as plain values. Undefined and recursive aliases are problems. */
  private content(): unknown {
    const anchors = new Set<string>();
    visit(this.document, {
      Node: (_key, { anchor }) => {
        if (anchor !== undefined) anchors.add(anchor);
      },
      Alias: (_key, node) => {
        if (anchors.has(node.source)) return;
        this.problems.push({
          line: this.lines.linePos(node.range?.[0] ?? 0).line,
          message: `Undefined alias *${node.source}: no anchor &${node.source} before it`,
        });
      },
    });
    if (this.problems.length > 0) return undefined;
    try {
      const content: unknown = this.document.toJS({ maxAliasCount });
      JSON.stringify(content);
      return content;
    } catch {
      this.problem([], 'It contains an alias of itself, or too many aliases');
      return undefined;
    }
  }

  private list(resource: ConfigurationResource, value: unknown): void {
    // All of its entries may be commented out.
    if (value === null) {
      this.withoutValue.push(resource);
      return;
    }
    this.resources.push(resource);
    if (!Array.isArray(value)) {
      this.problem([resource], `${resource} must be a list`);
      return;
    }
    for (const [index, item] of value.entries()) this.record(resource, item, index);
  }

  private record(resource: ConfigurationResource, item: unknown, index: number): void {
    const path = [resource, index];
    if (!isObject(item)) {
      this.problem(path, `${resource}[${index}] must be an object`);
      return;
    }
    const { id, ...fields } = item;
    if (id !== undefined && !(typeof id === 'string' && isUuid(id))) {
      this.problem(path, `${resource}[${index}].id must be a UUID or be omitted`);
      return;
    }
    const read = parseData(resource, fields);
    const named = getDataLabel(resource, fields);
    const name =
      named !== ''
        ? `${singularNames[resource]} "${named}"`
        : id === undefined
          ? `${resource}[${index}]`
          : `${singularNames[resource]} ${id}`;
    if ('problems' in read) {
      for (const problem of read.problems) this.problem(path, `${name}: ${problem}`);
      return;
    }
    const label = getDataLabel(resource, read.data);
    this.records.push({
      resource,
      id: id?.toLowerCase(),
      label,
      data: read.data,
      source: item,
      line: this.line(path),
    });
  }

  private line(path: readonly (string | number)[]): number {
    const node = path.length === 0 ? this.document.contents : this.document.getIn(path, true);
    const range = (node as { range?: readonly number[] | null } | undefined)?.range;
    return range?.[0] === undefined ? 1 : this.lines.linePos(range[0]).line;
  }

  private problem(path: readonly (string | number)[], message: string): void {
    this.problems.push({ line: this.line(path), message });
  }
}

/** The YAML (or JSON, which is YAML) of a configuration. */
export function parseConfig(name: string, text: string): { file: ConfigFile; problems: readonly Problem[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const reader = new ConfigReader(document, lines);
  const syntax = findYamlProblems(document).map(({ at, message }) => ({
    line: lines.linePos(at).line,
    message,
  }));
  if (syntax.length === 0) reader.read();
  if (reader.isPlan)
    throw invalidInputError(
      `${name === '-' ? 'Standard input' : name} is a saved plan, not a configuration.`,
      isJson(text)
        ? `To apply it: orgchat config apply ${toShellWord(name)}`
        : 'A plan can be applied only as the JSON file that orgchat config plan FILE -o PLAN wrote.',
    );
  const { resources, withoutValue, records } = reader;
  return {
    file: { name, text, resources, withoutValue, records },
    problems: [...syntax, ...reader.problems, ...findDuplicates(records)],
  };
}

/** Finds records with the same label. They cannot be distinguished if the organization does not have their ids. */
function findDuplicates(records: readonly FileRecord[]): Problem[] {
  const seen = new Map<string, FileRecord>();
  return records.flatMap((record): Problem[] => {
    const { resource, id, label, line } = record;
    const byId = id === undefined ? undefined : `${resource} ${id}`;
    if (byId !== undefined && seen.has(byId))
      return [{ line, message: `${singularNames[resource]} ${id} is listed twice` }];
    if (byId !== undefined) seen.set(byId, record);
    const name = `${singularNames[resource]} "${label}"`;
    const key = toComparableLabel(name);
    const other = seen.get(key);
    seen.set(key, record);
    if (other === undefined || (other.id !== undefined && id !== undefined)) return [];
    return [
      {
        line,
        message: `${name} is listed twice (first on line ${other.line}); give each its id or another name`,
      },
    ];
  });
}

/** Parses a configuration; throws an error with all problems if it is invalid. */
export function requireValidConfig(name: string, text: string): ConfigFile {
  const { file, problems } = parseConfig(name, text);
  if (problems.length > 0) throw invalidFileError(name, problems);
  return file;
}

export const readConfig = async (name: string): Promise<ConfigFile> =>
  requireValidConfig(name, await readText(name));
