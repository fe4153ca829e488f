import type { components } from '../generated/openapi.ts';

type Schemas = components['schemas'];
type Schema<Name extends keyof Schemas> = Schemas[Name];

/* What is sent. Interfaces, so that an editor shows the name and not the fields. */

/** Keywords to add to a site, up to 50 of 80 characters each, and their group (4.2). */
export interface AddKeywordsInput extends Schema<'AddKeywordsInput'> {}
/** The query of `readChat`, one type for each resource. */
export type ChatReadInput = Schemas['ChatReadInput'];
/** The query of `readStudio`, one type for each resource. */
export type StudioReadInput = Schemas['StudioReadInput'];
/** A change for `changeChat`, one type for each action. */
export type ChatChange = Schemas['ChatChange'];

/** What creates or updates a tag. */
export interface TagInput extends Schema<'TagData'> {}
/** What creates or updates a template. */
export interface TemplateInput extends Schema<'TemplateData'> {}
/** What creates or updates an auto-reply. */
export interface AutoReplyInput extends Schema<'AutoReplyData'> {}
/** What creates or updates a scenario. */
export interface ScenarioInput extends Schema<'ScenarioData'> {}
/** What creates or updates a form. */
export interface FormInput extends Schema<'FormDefinitionData'> {}
/** What creates or updates a rich menu. */
export interface RichMenuInput extends Schema<'RichMenuData'> {}
/** What creates or updates a link. */
export interface LinkInput extends Schema<'LinkData'> {}
/** What creates or updates a route. */
export interface RouteInput extends Schema<'RouteData'> {}
/** What creates or updates a broadcast. */
export interface BroadcastInput extends Schema<'BroadcastData'> {}
/** What updates a friend: notes and status. A field that is left out keeps its value. */
export interface FriendInput extends Schema<'FriendData'> {}

/** One step of a scenario. */
export interface ScenarioStep extends Schema<'ScenarioStep'> {}
/** When a step of a scenario is sent. */
export type StepCondition = Schemas['StepCondition'];
/** One field of a form. */
export interface FormField extends Schema<'FormField'> {}
/** One tappable area of a rich menu. */
export interface RichMenuArea extends Schema<'RichMenuArea'> {}
/** What a tap on an area of a rich menu does. */
export type AreaAction = Schemas['AreaAction'];
/** How a rich menu looks. */
export interface RichMenuDesign extends Schema<'RichMenuDesign'> {}
/** One part of a message: text, an image or cards. */
export type MessageBlock = Schemas['MessageBlock'];
/** One card of a message. */
export interface Card extends Schema<'Card'> {}
/** What a button of a card does. */
export type CardAction = Schemas['CardAction'];
