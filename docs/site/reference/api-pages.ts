import { errorCatalog } from '@orgchat/spec';
import { toCurl } from './curl.ts';
import { type Answer, ApiDocument, type Endpoint, type Parameter } from './openapi.ts';
import { type GeneratedPage, joinBlocks, toCode, toMarkdown, toSentence, toTable } from './page.ts';
import { getAnswerSchemas, getRequestSchema, SchemaPlaces } from './schema-places.ts';
import { describeSchema, describeType } from './schema-text.ts';

/** A document of the contract, and what its pages say besides what is in it. */
interface Subject {
  readonly file: string;
  readonly title: string;
  /** The address of its pages. */
  readonly base: string;
  /** How a reader gets to the first answer. */
  readonly start: readonly string[];
}

const subjects: readonly Subject[] = [
  {
    file: 'openapi',
    title: 'API',
    base: '/reference/api/',
    start: [
      'Try it against the mock, without an account: `npm start` in a clone, or `orgchat mock start`. The [playground](/playground) needs neither: it runs in the browser.',
      toCode('sh', "curl http://127.0.0.1:4010/api/v1/me -H 'Authorization: Bearer demo-write-key'"),
      'Every request has the header `Authorization: Bearer KEY`. A key is never for browser code or a public repository. The mock also has `demo-read-key`, `demo-viewer-key` and others, each for [an error that it causes](/reference/mock-server/seeds).',
    ],
  },
  {
    file: 'control.openapi',
    title: 'Control API',
    base: '/reference/control-api/',
    start: [
      'It belongs to the mock server; the real API has none of it. `npm start` or `orgchat mock start` prints its address. In TypeScript, [the mock in tests](/how-to/mock-server/testing) has the same calls as methods, and [the guide](/reference/mock-server/control-api) explains them.',
      toCode('sh', 'curl http://127.0.0.1:4010/_mock/health'),
      'On this machine no token is required. Otherwise, each call has the header `Authorization: Bearer TOKEN` with the token of `--control-token`.',
    ],
  },
];

const isCode = (code: string): boolean => code in errorCatalog;

/** The codes that an answer may have, each with a link to its page if it is a code of the API. */
const listCodes = ({ content }: Answer): string =>
  Object.keys(content?.['application/json']?.examples ?? {})
    .map((code) => (isCode(code) ? `[\`${code}\`](/reference/error-codes#${code})` : `\`${code}\``))
    .join(', ');

type Errors = readonly (readonly [status: string, answer: Answer])[];

const describeErrors = (errors: Errors): string =>
  toTable(
    ['Status', 'Meaning', 'Codes'],
    errors.map(([status, answer]) => [`\`${status}\``, toMarkdown(answer.description), listCodes(answer)]),
  );

/** The pages of one OpenAPI document. */
class ApiPages {
  private readonly document: ApiDocument;
  private readonly places: SchemaPlaces;
  private readonly commonErrors: Errors;
  private readonly commonParameters: readonly Parameter[];

  constructor(
    root: string,
    private readonly subject: Subject,
  ) {
    this.document = ApiDocument.read(root, subject.file);
    this.places = new SchemaPlaces(this.document, subject.base, (endpoint) => this.findOperation(endpoint));
    const { endpoints } = this.document;
    const [first] = endpoints;
    const isCommon = (has: (endpoint: Endpoint) => boolean): boolean => endpoints.every(has);
    this.commonErrors = this.listErrors(first!).filter(([status]) =>
      isCommon(({ operation }) => status in operation.responses),
    );
    this.commonParameters = this.document
      .getParameters(first!.operation)
      .filter(({ name }) =>
        isCommon(({ operation }) => this.document.getParameters(operation).some((one) => one.name === name)),
      );
  }

  list(): GeneratedPage[] {
    const { tags } = this.document.content;
    return [
      this.describeDocument(),
      ...tags.map((tag) => this.describeGroup(tag)),
      this.describeObjects('Objects in requests', this.places.inRequests),
      this.describeObjects('Objects in answers', this.places.inAnswers),
    ];
  }

  private toPage(name: string, title: string, blocks: readonly string[]): GeneratedPage {
    const { base, title: group } = this.subject;
    return { path: `${base}${name}`, title, group, text: joinBlocks(blocks) };
  }

  private findGroup = (tag: string): string => `${this.subject.base}${tag.toLowerCase()}`;

  private findOperation = ({ operation }: Endpoint): string =>
    `${this.findGroup(operation.tags[0] ?? '')}#${operation.operationId}`;

  private listErrors({ operation }: Endpoint): Errors {
    return this.document.getAnswers(operation).filter(([status]) => /^[45]/.test(status));
  }

  private describeParameters(parameters: readonly Parameter[]): string {
    return toTable(
      ['Parameter', 'Type', 'Meaning'],
      parameters.map(({ name, in: place, required = false, schema, description = '' }) => [
        `\`${name}\` <small>${place}${required ? ', required' : ''}</small>`,
        describeType(schema, this.places.link),
        toMarkdown(description),
      ]),
    );
  }

  private describeDocument(): GeneratedPage {
    const { title, base, file, start } = this.subject;
    const { info, tags } = this.document.content;
    return this.toPage('', 'Overview', [
      `# ${title}`,
      info.description.split(' Generated from')[0]!.replaceAll(/\s+/g, ' '),
      '## Endpoints',
      toTable(
        ['Method', 'Path', 'What it does'],
        this.document.endpoints.map((endpoint) => [
          `\`${endpoint.method}\``,
          `[\`${endpoint.path}\`](${this.findOperation(endpoint)})`,
          toSentence(endpoint.operation.summary),
        ]),
      ),
      '## Try it',
      ...start,
      '## Groups',
      tags
        .map(({ name, description }) => `- [${name}](${this.findGroup(name)}): ${toMarkdown(description)}`)
        .concat(
          `- Objects [in requests](${base}objects-in-requests) and [in answers](${base}objects-in-answers)`,
        )
        .join('\n'),
      ...(this.commonParameters.length === 0
        ? []
        : ['## Parameters of every request', this.describeParameters(this.commonParameters)]),
      '## Errors of every request',
      'An error has a code in the field `error`, which does not change with the language, and a `message` for people.',
      describeErrors(this.commonErrors),
      '## Documents',
      `The same as a document: [OpenAPI 3.1](/${file}.yaml), version ${info.version}. What it leaves open is in the [decisions](/reference/decisions); the text of the contract is the [specification](/reference/specification).`,
    ]);
  }

  private describeGroup({ name, description }: { name: string; description: string }): GeneratedPage {
    const endpoints = this.document.endpoints.filter(({ operation }) => operation.tags.includes(name));
    const { title, base } = this.subject;
    return this.toPage(name.toLowerCase(), name, [
      `# ${title}: ${name}`,
      `${toMarkdown(description)} [All endpoints](${base}) · [errors of every request](${base}#errors-of-every-request)`,
      ...endpoints.flatMap((endpoint) => this.describeOperation(endpoint)),
    ]);
  }

  private describeOperation(endpoint: Endpoint): string[] {
    const { method, path, operation } = endpoint;
    const { operationId: anchor, summary, description = '' } = operation;
    const parameters = this.document
      .getParameters(operation)
      .filter(({ name }) => this.commonParameters.every((common) => common.name !== name));
    const request = getRequestSchema(endpoint);
    const [first, ...others] = Object.values(
      operation.requestBody?.content?.['application/json']?.examples ?? {},
    );
    return [
      `## ${toMarkdown(summary)} {#${anchor}}`,
      `\`${method} ${path}\``,
      toMarkdown(description),
      toCode('sh', toCurl(this.document, endpoint)),
      ...(request === undefined && parameters.length === 0 ? [] : [`### Request {#${anchor}-request}`]),
      this.describeParameters(parameters),
      ...(request === undefined
        ? []
        : describeSchema(this.document, this.document.resolve(request), this.places.link)),
      ...(first === undefined || others.length === 0
        ? []
        : [
            '::: details More requests',
            ...others.flatMap(({ summary: what = '', value }) => [
              toSentence(what),
              toCode('json', JSON.stringify(value, null, 2)),
            ]),
            ':::',
          ]),
      ...this.describeAnswer(endpoint),
      ...this.describeOwnErrors(endpoint),
    ];
  }

  private describeAnswer(endpoint: Endpoint): string[] {
    const { operation } = endpoint;
    const done = this.document.getAnswers(operation).find(([status]) => status.startsWith('2'));
    const [status = '', answer] = done ?? [];
    const [kind = ''] = Object.keys(answer?.content ?? {});
    const examples = Object.values(answer?.content?.[kind]?.examples ?? {});
    return [
      `### Answer {#${operation.operationId}-answer}`,
      `Status \`${status}\`${kind === '' ? '.' : `, \`${kind}\`.`}`,
      ...getAnswerSchemas(this.document, endpoint).flatMap((schema) =>
        describeSchema(this.document, this.document.resolve(schema), this.places.link),
      ),
      ...examples.flatMap(({ summary = 'For example', value }) => [
        `${toMarkdown(summary)}:`,
        toCode('json', JSON.stringify(value, null, 2)),
      ]),
    ];
  }

  private describeOwnErrors(endpoint: Endpoint): string[] {
    const isOwn = ([status]: Errors[number]): boolean =>
      this.commonErrors.every(([common]) => common !== status);
    const own = this.listErrors(endpoint).filter(isOwn);
    if (own.length === 0) return [];
    const common = this.commonErrors.map(([status]) => status).join(', ');
    return [
      `### Errors {#${endpoint.operation.operationId}-errors}`,
      `Besides [those of every request](${this.subject.base}#errors-of-every-request) (${common}):`,
      describeErrors(own),
    ];
  }

  private describeObjects(title: string, names: readonly string[]): GeneratedPage {
    const path = title.toLowerCase().replaceAll(' ', '-');
    const describe = (name: string): string => toMarkdown(this.document.getSchema(name).description ?? '');
    return this.toPage(path, title, [
      `# ${this.subject.title}: ${title.toLowerCase()}`,
      `What the [endpoints](${this.subject.base}) share.`,
      toTable(
        ['Object', 'Meaning'],
        names.map((name) => [`[${name}](#${name})`, describe(name)]),
      ),
      ...names.flatMap((name) => [
        `## ${name} {#${name}}`,
        describe(name),
        ...describeSchema(this.document, this.document.getSchema(name), this.places.link),
      ]),
    ]);
  }
}

export const generateApiPages = (root: string): GeneratedPage[] =>
  subjects.flatMap((subject) => new ApiPages(root, subject).list());
