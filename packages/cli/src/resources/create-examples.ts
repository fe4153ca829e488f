import type { ConfigurationResource } from '@orgchat/spec';

import type { Example } from '../define-command.ts';

/** How each resource is created, for help. */
export const createExamples: Record<ConfigurationResource, readonly Example[]> = {
  tags: [
    ['orgchat tags create --name Summer --color pink'],
    [
      'orgchat tags create --name Summer --color pink --intent summer-tag',
      'run it twice: the tag is created once',
    ],
  ],
  templates: [['orgchat templates create --name Welcome --text "Thank you for adding us."']],
  'auto-replies': [
    [
      'orgchat auto-replies create --keyword hours --match-type contains --response-text "From nine to five." --active',
    ],
  ],
  scenarios: [
    ['orgchat scenarios create --data welcome.yaml'],
    ['orgchat scenarios create --data welcome.yaml --name Copy --no-active'],
  ],
  forms: [['orgchat forms create --data survey.json']],
  'rich-menus': [['orgchat rich-menus create --data menu.yaml --account "Main account"']],
  links: [['orgchat links create --name Spring --url https://example.com/spring --tag VIP']],
  routes: [['orgchat routes create --name Counter --account "Main account" --scenario "Welcome series"']],
  broadcasts: [
    [
      'orgchat broadcasts create --title News --account "Main account" --message "Spring is here."',
      'a draft; nothing is sent',
    ],
    ['orgchat broadcasts create --data draft.yaml --tag VIP'],
  ],
};
