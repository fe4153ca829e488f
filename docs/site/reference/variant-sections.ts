import { listExamples } from './curl.ts';
import { type ApiDocument, type Endpoint, getDone, getName, type Schema } from './openapi.ts';
import { toCode } from './page.ts';
import { showRequest, titleExample, toResponse } from './samples.ts';
import { findChoice } from './schema-places.ts';
import {
  type Context,
  describeSchema,
  type Field,
  findSelector,
  isVarying,
  readVariants,
  toFieldTable,
  type Variant,
} from './schema-text.ts';

/* The request of an endpoint whose body has variants: a section for each group of variants with the same fields. */

interface Words {
  readonly title: string;
  readonly text?: string;
  /** What the fields mean that have other types in each variant. */
  readonly varying?: string;
}

/** Groups that are not named by their only value, by their first one. */
const names: Readonly<Record<string, Words>> = {
  tags: { title: 'Configuration records' },
  'create-tags': {
    title: 'Create a record',
    text: 'Set `change.action` to the action of the resource, and `change.data` to an object with its fields.',
  },
  'update-tags': {
    title: 'Update a record',
    text: 'Replaces the whole data of a record. If the record has changed since you read it, the response has the status `409`, and nothing is changed.',
    varying: 'All fields of the resource, as [when you create a record](#create-a-record).',
  },
  'delete-configuration': { title: 'Delete a record' },
  'update-friend': { title: 'Update a friend' },
  'set-friend-tags': { title: 'Set the tags of a friend' },
  'enroll-scenario': { title: 'Enroll a friend in a scenario' },
};

const unquote = (code: string): string => code.replaceAll('`', '');

const toWords = (value: string): string =>
  `${value.charAt(0).toUpperCase()}${value.slice(1)}`.replaceAll(/(?<!^auto)-/gi, ' ');

const toSlug = (title: string): string => title.toLowerCase().replaceAll(' ', '-');

const joinWords = (words: readonly string[], last: 'and' | 'or'): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;

/** A resource, and the action on it. */
const toTitle = ({ value }: Variant): string =>
  `**${toWords(unquote(value).replace(/^[^-]+-/, ''))}** ${value}`;

/** The names of the fields of an object: those that it needs, then the others. */
function listNames({ properties = {}, required = [] }: Schema): string {
  const list = (isRequired: boolean): string =>
    Object.keys(properties)
      .filter((name) => required.includes(name) === isRequired)
      .map((name) => `\`${name}\``)
      .join(', ');
  return [list(true), list(false)].filter((names) => names !== '').join('; optional: ');
}

interface Section extends Words {
  readonly anchor: string;
  readonly group: readonly Variant[];
  /** The examples of requests that are of the group, by their names. */
  readonly examples: readonly string[];
}

export class VariantSections {
  /** That of the first example comes first. */
  private readonly sections: readonly Section[];
  private readonly shared: readonly Field[];
  /** What the path of a field begins with. */
  private readonly prefix: string;

  private constructor(
    private readonly context: Context,
    private readonly endpoint: Endpoint,
    private readonly page: string,
    private readonly selector: string,
    private readonly body: Schema,
    private readonly choice: NonNullable<ReturnType<typeof findChoice>>,
  ) {
    const { document } = context;
    this.prefix = choice.field === undefined ? '' : `${choice.field}.`;
    const { shared, groups } = readVariants(document, document.resolve(choice.schema), selector);
    this.shared = shared;
    const sections = groups.map((group): Section => {
      const value = unquote(group[0]!.value);
      const words = names[value] ?? { title: toWords(value) };
      return { ...words, anchor: toSlug(words.title), group, examples: this.listExamplesOf(group) };
    });
    const [first] = listExamples(endpoint);
    const isFirst = ({ examples }: Section): boolean => first !== undefined && examples.includes(first[0]);
    this.sections = [...sections.filter(isFirst), ...sections.filter((section) => !isFirst(section))];
  }

  /** Undefined if no field of a body selects the others. */
  static read(context: Context, endpoint: Endpoint, page: string, body: Schema): VariantSections | undefined {
    const choice = findChoice(context.document, body);
    const selector = choice && findSelector(context.document, context.document.resolve(choice.schema));
    return choice === undefined || selector === undefined
      ? undefined
      : new VariantSections(context, endpoint, page, selector, body, choice);
  }

  get links(): string[] {
    return this.sections.map(({ title, anchor }) => `[${title}](#${anchor})`);
  }

  /** What all requests have, and the first section, beside whose text the first example is. */
  describeFirst(): string[] {
    const { field } = this.choice;
    const { properties = {}, required = [] } = this.context.document.resolve(this.body);
    const fields = Object.entries(field === undefined ? {} : properties).map(([path, schema]): Field => {
      const isRequired = required.includes(path);
      if (path !== field) return { path, schema, isRequired };
      const description = `What to do. Its \`${this.selector}\` decides which other fields it has.`;
      return { path, schema: { type: 'object' }, isRequired, description };
    });
    return [
      field === undefined
        ? `The field \`${this.selector}\` decides what is read, and which other fields you can send.`
        : '',
      toFieldTable(this.context, [...fields, ...this.shared.map(this.toOwn)]),
      ...this.sections.slice(0, 1).flatMap((section) => this.describeSection(section)),
    ];
  }

  /** The sections below the first example, each with its examples. */
  describeRest(): string[] {
    const [first] = this.sections;
    return [
      ...(first?.examples.slice(1) ?? []).flatMap((name) => this.showExchange(name)),
      ...this.sections
        .slice(1)
        .flatMap((section) => [
          ...this.describeSection(section),
          ...section.examples.flatMap((name) => this.showExchange(name)),
        ]),
    ];
  }

  private readonly toOwn = (field: Field): Field => ({ ...field, path: `${this.prefix}${field.path}` });

  private describeSection({ title, anchor, group, text, varying = '' }: Section): string[] {
    const [{ meaning, fields }] = group as [Variant, ...Variant[]];
    const data = group.flatMap((variant) => this.describeData(variant, group));
    // The list of resources has the other fields.
    if (group.length > 1 && data.length > 0) return [`### ${title} {#${anchor}}`, text ?? meaning, ...data];
    const values = joinWords(
      group.map(({ value }) => value),
      'or',
    );
    const choice: Field = {
      path: this.selector,
      schema: { type: 'string' },
      isRequired: true,
      description: `${group.length === 1 ? 'Set it to' : 'One of'} ${values}.`,
    };
    const own = fields.map((field) =>
      isVarying(field, group) ? { ...field, schema: { type: 'object' }, description: varying } : field,
    );
    return [
      `### ${title} {#${anchor}}`,
      own.length === 0
        ? `${text ?? meaning} Set \`${this.prefix}${this.selector}\` to ${values}. It takes no other fields.`
        : (text ?? meaning),
      ...(own.length === 0 ? [] : [toFieldTable(this.context, [choice, ...own].map(this.toOwn))]),
      ...data,
    ];
  }

  /** The fields of the objects that a variant has, if they are described here and not by an earlier group. */
  private describeData(variant: Variant, group: readonly Variant[]): string[] {
    return variant.fields.flatMap(({ path, schema }) => {
      const name = getName(schema);
      if (name === undefined || !this.isPlacedBy(group, name)) return [];
      const data = this.context.document.getSchema(name);
      const table = describeSchema(this.context, data);
      if (group.length === 1) return [`#### \`${this.prefix}${path}\` {#${name}}`, ...table];
      const isFirst = variant === group[0];
      const [example] = data.examples ?? [];
      const change = { [this.selector]: unquote(variant.value), [path]: example };
      return [
        `::: details ${toTitle(variant)}<br>${listNames(data)} {#${name}${isFirst ? ' open' : ''}}`,
        ...table,
        ...(isFirst || example === undefined
          ? []
          : [`An example of \`${this.choice.field}\`:`, toCode('json', JSON.stringify(change, null, 2))]),
        ':::',
      ];
    });
  }

  /** Whether a group is the first one that has an object, and the object is described on this page. */
  private isPlacedBy(group: readonly Variant[], name: string): boolean {
    if (!this.context.link(name).endsWith(`(${this.page}#${name})`)) return false;
    const has = (one: readonly Variant[]): boolean =>
      one.some(({ fields }) => fields.some(({ schema }) => getName(schema) === name));
    return this.sections.find((section) => has(section.group))?.group === group;
  }

  private listExamplesOf(group: readonly Variant[]): string[] {
    const { field } = this.choice;
    return listExamples(this.endpoint).flatMap(([name, { value }]) => {
      const body = value as Readonly<Record<string, unknown>>;
      const chosen = (field === undefined ? body : body[field]) as Readonly<Record<string, unknown>>;
      return group.some((variant) => unquote(variant.value) === chosen[this.selector]) ? [name] : [];
    });
  }

  /** An example of a request, and beside it what answers it. */
  private showExchange(name: string): string[] {
    const { document } = this.context;
    const { summary = '' } = new Map(listExamples(this.endpoint)).get(name) ?? {};
    const answer = getDone(document, this.endpoint).named[name];
    return [
      titleExample(summary),
      '<div class="pair">\n<div>',
      ...showRequest(document, this.endpoint, name),
      '</div>\n<div>',
      ...(answer === undefined ? [] : toResponse(answer.value)),
      ...(name === 'update' ? showStale(document, this.endpoint) : []),
      '</div>\n</div>',
    ];
  }
}

/** What answers a change of a record that has changed since it was read. */
function showStale(document: ApiDocument, { operation }: Endpoint): string[] {
  const [, answer] = document.getAnswers(operation).find(([status]) => status === '409') ?? [];
  const stale = answer?.content?.['application/json']?.examples?.STALE_REVISION;
  return stale === undefined ? [] : toResponse(stale.value, 'Response 409: the record has changed');
}
