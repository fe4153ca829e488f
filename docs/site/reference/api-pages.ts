import { errorCatalog, limits, operations } from '@orgchat/spec';
import { defaultPlans } from '../../../packages/mock-server/src/seed/schema.ts';
import { toCurl } from './curl.ts';
import { type Answer, ApiDocument, type Endpoint, type Parameter } from './openapi.ts';
import { type GeneratedPage, joinBlocks, toCode, toMarkdown, toSentence, toTable } from './page.ts';
import { getAnswerSchemas, getRequestSchema, SchemaPlaces } from './schema-places.ts';
import { describeSchema, describeType } from './schema-text.ts';
import { toSdkCall } from './sdk-call.ts';

/** A document of the contract, and what its pages say besides what is in it. */
interface Subject {
  readonly file: string;
  readonly title: string;
  /** The address of its pages. */
  readonly base: string;
  /** What the base URL here is. */
  readonly server: string;
  /** What a reader has to know about every request, by heading. */
  readonly needs: readonly (readonly [heading: string, text: string])[];
  /** The endpoint of the first request, and how to get a server that answers it. */
  readonly first: string;
  readonly start: string;
}

const formatCount = (count: number): string => count.toLocaleString('en');

const subjects: readonly Subject[] = [
  {
    file: 'openapi',
    title: 'API',
    base: '/reference/api/',
    server: 'is the mock. The vendor of the API gives you the address of the real one.',
    needs: [
      [
        'Authentication',
        'Every request has the header `Authorization: Bearer KEY`. A key is never for browser code or a public repository. The mock has `demo-write-key`, `demo-read-key`, and [keys that each cause one error](/how-to/mock-server/testing#demo-keys-and-data).',
      ],
      [
        'Limits',
        `Requests per minute per key, and requests per month per organization: ${formatCount(limits.requestsPerMinute)} and ${formatCount(defaultPlans.business.monthlyRequests)} in the mock. [\`GET /me\`](/reference/api/account#getAccount) answers with yours: \`api.perMinute\` and \`api.limit\`. Beyond them the answer is \`429\`.`,
      ],
    ],
    first: 'getAccount',
    start:
      'Try it against the mock, without an account: `npm start` in a clone, or `orgchat mock start`. The [playground](/playground) needs neither: it runs in the browser.',
  },
  {
    file: 'control.openapi',
    title: 'Control API',
    base: '/reference/control-api/',
    server: 'is the mock server. The real API has no control API.',
    needs: [
      [
        'Authentication',
        'None on this machine. Otherwise, each call has the header `Authorization: Bearer TOKEN` with the token of `--control-token`.',
      ],
      [
        'Other ways to call it',
        'In TypeScript, [the mock in tests](/how-to/mock-server/testing) has the same calls as methods. [The guide](/reference/mock-server/control-api) explains them.',
      ],
    ],
    first: 'getHealth',
    start: '`npm start` or `orgchat mock start` starts a mock, and prints its address.',
  },
];

const isCode = (code: string): boolean => code in errorCatalog;

/** The codes that an answer may have, each with a link to its page if it is a code of the API. */
const listCodes = ({ content }: Answer): string =>
  Object.keys(content?.['application/json']?.examples ?? {})
    .map((code) => (isCode(code) ? `[\`${code}\`](/reference/error-codes#${code})` : `\`${code}\``))
    .join(', ');

/** The scopes of keys that may call an endpoint; nothing for those that need no key. */
function describeScope({ operation: { operationId } }: Endpoint): string {
  const scopes: Readonly<Record<string, { readonly scope: string }>> = operations;
  const { scope } = scopes[operationId] ?? {};
  if (scope === undefined) return '';
  return scope === 'read' ? '`read` or `write`' : '`write`';
}

/** An example of an answer. A revision is not read by people: its beginning says what it is. */
const toExample = (value: unknown): string =>
  toCode('json', JSON.stringify(value, null, 2).replace(/(?<="[0-9a-f]{8})[0-9a-f]{56}(?=")/g, '…'));

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
        `\`${name}\`\u00a0<small>${place}${required ? ',\u00a0required' : ''}</small>`,
        describeType(schema, this.places.link),
        toMarkdown(description),
      ]),
    );
  }

  /** Keys that every request has, as the parameters that they are. */
  private listKeys(): Parameter[] {
    const { security = [], components } = this.document.content;
    return security
      .flatMap((schemes) => Object.keys(schemes))
      .flatMap((name) => components.securitySchemes?.[name] ?? [])
      .map(({ description }) => ({
        name: 'Authorization',
        in: 'header',
        required: security.every((schemes) => Object.keys(schemes).length > 0),
        schema: { type: 'string' },
        description: `"Bearer", a space, and the value. ${description}`,
      }));
  }

  private describeDocument(): GeneratedPage {
    const { title, base, file, server, needs, first, start } = this.subject;
    const { info, servers } = this.document.content;
    const { endpoints } = this.document;
    const parameters = [...this.listKeys(), ...this.commonParameters];
    return this.toPage('', 'Overview', [
      `# ${title}`,
      info.description.split(' Generated from')[0]!.replaceAll(/\s+/g, ' '),
      this.listEndpoints(endpoints),
      `**Base URL**: \`${servers[0]?.url}\` ${server}`,
      start,
      ...endpoints
        .filter(({ operation }) => operation.operationId === first)
        .flatMap((endpoint) => this.showFirstExample(endpoint)),
      ...needs.flatMap(([heading, text]) => [`## ${heading}`, text]),
      '## Parameters of every request',
      this.describeParameters(parameters),
      '## Errors of every request',
      'An error has a code in the field `error`, which does not change with the language, and a `message` for people.',
      describeErrors(this.commonErrors),
      '## Shared objects',
      `Several endpoints have the same objects [in requests](${base}objects-in-requests) and [in answers](${base}objects-in-answers).`,
      '## OpenAPI document',
      `[OpenAPI 3.1](/${file}.yaml), version ${info.version}. What it leaves open is in the [decisions](/reference/decisions); the text of the contract is the [specification](/reference/specification).`,
    ]);
  }

  /** What the endpoints do, and which keys may call them. */
  private listEndpoints(endpoints: readonly Endpoint[]): string {
    const hasKeys = endpoints.some((endpoint) => describeScope(endpoint) !== '');
    return toTable(
      ['Endpoint', 'What it does', ...(hasKeys ? ['Scope of the key'] : [])],
      endpoints.map((endpoint) => [
        `[\`${endpoint.method} ${endpoint.path}\`](${this.findOperation(endpoint)})`,
        toSentence(endpoint.operation.summary),
        ...(hasKeys ? [describeScope(endpoint)] : []),
      ]),
    );
  }

  private describeGroup({ name, description }: { name: string; description: string }): GeneratedPage {
    const endpoints = this.document.endpoints.filter(({ operation }) => operation.tags.includes(name));
    const { title, base } = this.subject;
    return this.toPage(name.toLowerCase(), name, [
      `# ${title}: ${name}`,
      `${toMarkdown(description)} See also [all endpoints](${base}) and [errors of every request](${base}#errors-of-every-request).`,
      this.listEndpoints(endpoints),
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
      ...this.showFirstExample(endpoint),
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

  private getDone({ operation }: Endpoint) {
    const done = this.document.getAnswers(operation).find(([status]) => status.startsWith('2'));
    const [status = '', answer] = done ?? [];
    const [kind = ''] = Object.keys(answer?.content ?? {});
    return { status, kind, examples: Object.values(answer?.content?.[kind]?.examples ?? {}) };
  }

  /** A request with curl, and beside it with the SDK if that has it. */
  private showRequest(endpoint: Endpoint): string[] {
    const curl = toCurl(this.document, endpoint);
    const call = toSdkCall(endpoint);
    if (call === undefined) return [toCode('sh', curl)];
    return ['::: code-group', toCode('sh [curl]', curl), toCode('ts [TypeScript]', call), ':::'];
  }

  /** A request, and its answer if the document has one. */
  private showFirstExample(endpoint: Endpoint): string[] {
    const [answer] = this.getDone(endpoint).examples;
    return [
      ...this.showRequest(endpoint),
      ...(answer === undefined ? [] : ['Response:', toExample(answer.value)]),
    ];
  }

  private describeAnswer(endpoint: Endpoint): string[] {
    const { operation } = endpoint;
    const { status, kind, examples } = this.getDone(endpoint);
    return [
      `### Response {#${operation.operationId}-answer}`,
      `Status \`${status}\`${kind === '' ? '.' : `, \`${kind}\`.`}`,
      ...getAnswerSchemas(this.document, endpoint).flatMap((schema) =>
        describeSchema(this.document, this.document.resolve(schema), this.places.link),
      ),
      ...examples
        .slice(1)
        .flatMap(({ summary = 'For example', value }) => [`${toMarkdown(summary)}:`, toExample(value)]),
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
