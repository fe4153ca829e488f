import type { components } from '../generated/openapi.ts';

type Schemas = components['schemas'];
type Schema<Name extends keyof Schemas> = Schemas[Name];

/* What is sent. Interfaces, so that an editor shows the name and not the fields. */

/**
 * Keywords to add to a site, up to 50 of 80 characters each, and their group (4.2).
 *
 * @example
 * const input: AddKeywordsInput = { keywords: ['summer', 'sale'], group: 'season' };
 * await client.keywords.add('demo-site', input);
 */
export interface AddKeywordsInput extends Schema<'AddKeywordsInput'> {}
/**
 * The query of `readChat`, one type for each resource.
 *
 * @example
 * const queries: ChatReadInput[] = [{ resource: 'tags', limit: 5 }, { resource: 'accounts' }];
 * for (const query of queries) await client.readChat(query);
 */
export type ChatReadInput = Schemas['ChatReadInput'];
/**
 * The query of `readStudio`, one type for each resource.
 *
 * @example
 * const query: StudioReadInput = { resource: 'projects', archived: false };
 * await client.readStudio(query);
 */
export type StudioReadInput = Schemas['StudioReadInput'];
/**
 * A change for `changeChat`, one type for each action.
 *
 * @example
 * const changes: ChatChange[] = [{ action: 'create-tags', data: { name: 'Gold', color: 'orange' } }];
 * for (const change of changes) await client.changeChat(change, { intent: ['set-up', change.action] });
 */
export type ChatChange = Schemas['ChatChange'];

/**
 * What creates or updates a tag.
 *
 * @example
 * const gold: TagInput = { name: 'Gold', color: 'orange' };
 * await client.tags.create(gold);
 */
export interface TagInput extends Schema<'TagData'> {}
/**
 * What creates or updates a template.
 *
 * @example
 * const welcome: TemplateInput = { name: 'Welcome', text: 'Hello, and thank you!' };
 * await client.templates.create(welcome);
 */
export interface TemplateInput extends Schema<'TemplateData'> {}
/**
 * What creates or updates an auto-reply.
 *
 * @example
 * const hours: AutoReplyInput = {
 *   accountId, // or null, for every account
 *   keyword: 'opening hours',
 *   matchType: 'contains',
 *   responseText: 'We are open from nine to five.',
 *   active: true,
 * };
 * await client.autoReplies.create(hours);
 */
export interface AutoReplyInput extends Schema<'AutoReplyData'> {}
/**
 * What creates or updates a scenario.
 *
 * @example
 * const onboarding: ScenarioInput = {
 *   name: 'Onboarding',
 *   accountId: null,
 *   trigger: 'manual',
 *   triggerTagId: null,
 *   active: true,
 *   steps: [{ delayValue: 1, delayUnit: 'days', sendTime: null, text: 'How are you doing?' }],
 * };
 * await client.scenarios.create(onboarding);
 */
export interface ScenarioInput extends Schema<'ScenarioData'> {}
/**
 * What creates or updates a form.
 *
 * @example
 * const survey: FormInput = {
 *   accountId,
 *   name: 'Survey',
 *   title: 'How was it?',
 *   description: '',
 *   fields: [{ key: 'score', label: 'Score', type: 'number', required: true, options: [], placeholder: '' }],
 *   submitTagId: null,
 *   submitScenarioId: null,
 *   saveToProfile: false,
 *   thanksText: 'Thank you!',
 *   active: true,
 * };
 * await client.forms.create(survey);
 */
export interface FormInput extends Schema<'FormDefinitionData'> {}
/**
 * What creates or updates a rich menu.
 *
 * @example
 * const menu: RichMenuInput = {
 *   accountId,
 *   name: 'Main',
 *   chatBarText: 'Menu',
 *   size: 'compact',
 *   template: 'one',
 *   areas: [{ x: 0, y: 0, width: 2_500, height: 843, action: { type: 'message', text: 'Hello', label: 'Hello' } }],
 * };
 * await client.richMenus.create(menu);
 */
export interface RichMenuInput extends Schema<'RichMenuData'> {}
/**
 * What creates or updates a link.
 *
 * @example
 * const sale: LinkInput = { name: 'Sale', url: 'https://example.com/sale', tagId: tag.id, scenarioId: null };
 * await client.links.create(sale);
 */
export interface LinkInput extends Schema<'LinkData'> {}
/**
 * What creates or updates a route.
 *
 * @example
 * const poster: RouteInput = { accountId, name: 'Poster', tagId: tag.id, scenarioId: null };
 * await client.routes.create(poster);
 */
export interface RouteInput extends Schema<'RouteData'> {}
/**
 * What creates or updates a broadcast.
 *
 * @example
 * const news: BroadcastInput = {
 *   accountId,
 *   title: 'News',
 *   messages: [{ type: 'text', text: 'We have moved.' }],
 *   target: 'tags',
 *   tagIds: [tag.id],
 *   scheduledAt: null, // this API makes drafts
 * };
 * await client.broadcasts.create(news);
 */
export interface BroadcastInput extends Schema<'BroadcastData'> {}
/**
 * What updates a friend: notes and status. A field that is left out keeps its value.
 *
 * @example
 * const done: FriendInput = { status: 'resolved' }; // the notes stay
 * await client.friends.update(friend, done);
 */
export interface FriendInput extends Schema<'FriendData'> {}

/**
 * One step of a scenario.
 *
 * @example
 * const step: ScenarioStep = { delayValue: 2, delayUnit: 'hours', sendTime: null, text: 'Still there?' };
 * await client.scenarios.edit(scenario, (data) => ({ ...data, steps: [...data.steps, step] }));
 */
export interface ScenarioStep extends Schema<'ScenarioStep'> {}
/**
 * When a step of a scenario is sent.
 *
 * @example
 * const onlyVips: StepCondition = { type: 'tag_exists', tagId: tag.id };
 * await client.scenarios.edit(scenario, (data) => ({
 *   ...data,
 *   steps: data.steps.map((step) => ({ ...step, condition: onlyVips })),
 * }));
 */
export type StepCondition = Schemas['StepCondition'];
/**
 * One field of a form.
 *
 * @example
 * const size: FormField = { key: 'size', label: 'Size', type: 'select', required: true, options: ['S', 'M'], placeholder: '' };
 * await client.forms.edit(form, (data) => ({ ...data, fields: [size] }));
 */
export interface FormField extends Schema<'FormField'> {}
/**
 * One tappable area of a rich menu.
 *
 * @example
 * const whole: RichMenuArea = { x: 0, y: 0, width: 2_500, height: 843, action: { type: 'message', text: 'Hi', label: 'Hi' } };
 * await client.richMenus.create({ accountId, name: 'One', chatBarText: 'Menu', size: 'compact', template: 'one', areas: [whole] });
 */
export interface RichMenuArea extends Schema<'RichMenuArea'> {}
/**
 * What a tap on an area of a rich menu does.
 *
 * @example
 * const call: AreaAction = { type: 'uri', uri: 'tel:+1234567', label: 'Call' };
 * const areas = [{ x: 0, y: 0, width: 2_500, height: 843, action: call }];
 * await client.richMenus.create({ accountId, name: 'Call', chatBarText: 'Call us', size: 'compact', template: 'one', areas });
 */
export type AreaAction = Schemas['AreaAction'];
/**
 * How a rich menu looks.
 *
 * @example
 * const design: RichMenuDesign = { style: 'bold', color: '#0f766e', areas: [{ icon: null, caption: 'Shop' }] };
 * const action = { type: 'message', text: 'shop', label: 'Shop' } as const;
 * const areas = [{ x: 0, y: 0, width: 2_500, height: 843, action }];
 * const menu = { accountId, name: 'Shop', chatBarText: 'Shop', size: 'compact' as const, template: 'one', areas };
 * await client.richMenus.create({ ...menu, design });
 */
export interface RichMenuDesign extends Schema<'RichMenuDesign'> {}
/**
 * One part of a message: text, an image or cards.
 *
 * @example
 * const hello: MessageBlock = { type: 'text', text: 'Hello!' };
 * const draft = { accountId, title: 'Hello', target: 'all' as const, tagIds: [], scheduledAt: null };
 * await client.broadcasts.create({ ...draft, messages: [hello] });
 */
export type MessageBlock = Schemas['MessageBlock'];
/**
 * One card of a message.
 *
 * @example
 * const card: Card = { imageId: null, title: 'New', text: 'Have a look.', buttons: [] };
 * const messages: MessageBlock[] = [{ type: 'card', altText: 'New', color: null, cards: [card] }];
 * await client.broadcasts.create({ accountId, title: 'New', target: 'all', tagIds: [], scheduledAt: null, messages });
 */
export interface Card extends Schema<'Card'> {}
/**
 * What a button of a card does.
 *
 * @example
 * const open: CardAction = { type: 'uri', uri: 'https://example.com' };
 * const card: Card = { imageId: null, title: 'Shop', text: '', buttons: [{ label: 'Open', action: open }] };
 * console.log(card.buttons.length);
 */
export type CardAction = Schemas['CardAction'];
