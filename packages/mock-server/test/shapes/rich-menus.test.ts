import { area, data, design, mainMenu, shop } from '../data.ts';
import { describeRules } from './rules.ts';
import { hexColor, integer, list, nullable, oneOf, text, uri, uuid } from './values.ts';

const withAction = (action: object): unknown => ({ ...data['rich-menus'], areas: [{ ...area, action }] });

describeRules([
  { clause: '5.6.1', on: 'rich-menus', at: 'accountId', ...uuid(shop) },
  { clause: '5.6.2', on: 'rich-menus', at: 'name', ...text(1, 100) },
  { clause: '5.6.3', on: 'rich-menus', at: 'chatBarText', ...text(1, 14) },
  { clause: '5.6.4', on: 'rich-menus', at: 'size', ...oneOf('large', 'compact') },
  { clause: '5.6.5', on: 'rich-menus', at: 'template', ...text(1, 100) },
  { clause: '5.6.6', on: 'rich-menus', at: 'areas', ...list(1, 20, area) },
  { clause: '5.6.7', on: 'rich-menus', at: 'design', takes: [design, null, undefined], refuses: [{}, 'x'] },
  {
    clause: '5.6.8',
    on: 'rich-menus',
    at: 'design.style',
    data: { ...data['rich-menus'], design },
    ...oneOf('tiles', 'cards', 'bold'),
  },
  {
    clause: '5.6.9',
    on: 'rich-menus',
    at: 'design.color',
    data: { ...data['rich-menus'], design },
    ...hexColor,
  },
  {
    clause: '5.6.10',
    on: 'rich-menus',
    at: 'design.areas',
    data: { ...data['rich-menus'], design },
    ...list(0, 20, design.areas[0]),
  },
  {
    clause: '5.6.11',
    on: 'rich-menus',
    at: 'design.areas.0.icon',
    data: { ...data['rich-menus'], design },
    ...nullable(text(0, 100)),
  },
  {
    clause: '5.6.12',
    on: 'rich-menus',
    at: 'design.areas.0.caption',
    data: { ...data['rich-menus'], design },
    ...text(0, 30),
  },
  { clause: '5.6.13', on: 'rich-menus', at: 'areas.0.x', ...integer(0) },
  { clause: '5.6.14', on: 'rich-menus', at: 'areas.0.y', ...integer(0) },
  { clause: '5.6.15', on: 'rich-menus', at: 'areas.0.width', ...integer(1) },
  { clause: '5.6.16', on: 'rich-menus', at: 'areas.0.height', ...integer(1) },
  {
    clause: '5.6.17',
    on: 'rich-menus',
    at: 'areas.0.action',
    takes: [area.action],
    refuses: [{ type: 'other' }, {}, null, undefined],
  },
  { clause: '5.6.18', on: 'rich-menus', at: 'areas.0.action.uri', ...uri },
  { clause: '5.6.19', on: 'rich-menus', at: 'areas.0.action.label', ...text(1, 20) },
  {
    clause: '5.6.20',
    on: 'rich-menus',
    at: 'areas.0.action.text',
    data: withAction({ type: 'message', text: 'x', label: 'x' }),
    ...text(1, 300),
  },
  {
    clause: '5.6.21',
    on: 'rich-menus',
    at: 'areas.0.action.label',
    data: withAction({ type: 'message', text: 'x', label: 'x' }),
    ...text(1, 20),
  },
  {
    clause: '5.6.22',
    on: 'rich-menus',
    at: 'areas.0.action.menuId',
    data: withAction({ type: 'switch', menuId: mainMenu, label: 'x' }),
    ...uuid(mainMenu),
  },
  {
    clause: '5.6.23',
    on: 'rich-menus',
    at: 'areas.0.action.label',
    data: withAction({ type: 'switch', menuId: mainMenu, label: 'x' }),
    ...text(1, 20),
  },
]);
